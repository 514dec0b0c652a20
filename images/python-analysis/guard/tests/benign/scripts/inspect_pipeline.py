import inspect


def clean(df, *, drop_missing: bool = True):
    """Drop rows without a value."""
    return df.dropna(subset=["value"]) if drop_missing else df


def scale(df, factor: float = 1.0):
    """Multiply the values."""
    return df.assign(value=df["value"] * factor)


options = {"drop_missing": True, "factor": 2.0, "unused": 1}
frame = labs
for step in (clean, scale):
    parameters = inspect.signature(step).parameters
    accepted = {key: value for key, value in options.items() if key in parameters}
    print(step.__name__, inspect.signature(step), accepted, "-", inspect.getdoc(step))
    frame = step(frame, **accepted)
print(round(frame["value"].mean() / labs["value"].mean(), 3))
required = [
    name
    for name, parameter in inspect.signature(scale).parameters.items()
    if parameter.default is inspect.Parameter.empty
]
print(required, inspect.isfunction(scale), inspect.isclass(dict))
bound = inspect.signature(scale).bind(frame, factor=3.0)
bound.apply_defaults()
print(list(bound.arguments), bound.arguments["factor"])
