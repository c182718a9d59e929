"""What a person has before them: the command line."""
