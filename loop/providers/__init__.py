"""Models: what is asked of one, in no provider's form, and how each provider's wire carries it."""
