"""CategoricalDtype.type is a subclass of type: it makes classes unseen, also metaclasses that lie."""
import pandas as pd

Real = pd.CategoricalDtype.type


def look(cls, name):
    return ("__self__",) if name == "__match_args__" else None


Meta = Real("Meta", (Real,), {"__getattribute__": look, "__instancecheck__": lambda cls, instance: True})
Any = Meta("Any", (), {})

match print:
    case Any(found):
        print("ESCAPED:metaclass_of_pandas", found.open)
