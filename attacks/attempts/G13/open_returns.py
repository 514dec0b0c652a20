"""What open returns is a wrapper; its raw file has a descriptor, and the class takes any number."""
file = open(DATA / "visits.csv", "rb", buffering=0)
print("ESCAPED:open_returns" if type(file)(2, "w").write(b"ESCAPED:open_returns\n") else "held")
