"""Other agents' session files, read as finished sessions of a project of ours.

A reader for each program tells a :class:`~nodwyn.loop.importers.recorder.Recorder` what was said and done, in the order
of the file; it knows nothing of logs. What it does not understand is kept and counted.
"""
