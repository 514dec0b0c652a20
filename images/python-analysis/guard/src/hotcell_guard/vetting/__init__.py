"""Looks at a script before it runs: its text, its syntax tree, and the rules for both."""
