alpha, beta = 0.05, 0.2


def report(title):
    rows = len(patients)
    values = locals()
    return "{title}: {rows} rows".format(**values)


print(report("Patients"))
print(globals().get("alpha"), globals().get("gamma", "not set"))
tables = {name: globals()[name] for name in ("labs", "visits") if name in globals()}
print({name: len(frame) > 0 for name, frame in tables.items()})
if "threshold" not in globals():
    threshold = 10
print("threshold" in locals(), "report" in globals(), callable(globals()["report"]))
numbers = {name: value for name, value in list(globals().items()) if isinstance(value, float)}
print(sorted(numbers))
