"""Confines the process: what is taken from it, the audit hook, the lock, budgets."""
