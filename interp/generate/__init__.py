"""Generation: Python functions from analysed forms."""
