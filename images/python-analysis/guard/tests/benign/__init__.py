"""Ordinary code: what runs under plain Python must run under the guard."""
