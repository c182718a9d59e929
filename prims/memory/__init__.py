"""What is remembered of sessions: a card for each turn, the words of every event, and the search of both."""
