"""A default of a lambda in a default."""
f = lambda x=(lambda y=__import__("os").getpid(): y): x
print("ESCAPED:lambda_default", f()())
