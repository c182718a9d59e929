"""The window: what a model is sent, a pure function of the log and a recorded recipe. docs/memory.md describes it."""
