"""The guard: what stands before every effect, and the sandbox that commands run in."""
