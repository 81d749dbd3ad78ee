"""The generator of the built-in model's corpus: every sentence in it was written for this program."""
