"""Finding files and events by words: an index of the repository, and what ranks texts by words."""
