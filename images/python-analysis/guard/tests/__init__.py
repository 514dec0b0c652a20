"""The guard's own tests; run them with run-tests.py."""
