"""The environment of a formula gives a special name of the script's module."""
import patsy

found = patsy.EvalEnvironment.capture(0).namespace["__builtins__"]
print("ESCAPED:formula_environment_special_name" if found is not None else "held", type(found).__name__)
