"""A formula quotes a special name of the script's module: its builtins."""
import patsy

held = []

def keep(value):
    held.append(value)
    return [1, 2]

patsy.dmatrix("keep(Q('__builtins__'))", {})
found = held[0]
print("ESCAPED:formula_quotes_special_name" if found is not None else "held", type(found).__name__)
