"""Underscores of another block become two."""
print("ESCAPED:normalised_dunder", print._＿self_＿.__name__)
