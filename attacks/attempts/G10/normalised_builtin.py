"""eval in italics."""
print("ESCAPED:normalised_builtin", 𝑒𝑣𝑎𝑙("__import__('os').getpid()"))
