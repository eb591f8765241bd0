"""Neptune and its kin: sets of question, answer and decoys about long videos, as a JSON list."""
