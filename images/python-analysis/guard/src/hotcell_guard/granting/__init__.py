"""Grants a script what it works with: builtins, imports, views of modules, attributes, files, inputs and tables."""
