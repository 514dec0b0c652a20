"""Answers for a run: result, charts, files and errors, as the report tells them."""
