"""Every import asks __getattr__: pandas, statsmodels and matplotlib make arrays, too."""
import pandas as pd

secret = b"0123456789abcdef"


class Array:
    def __len__(self):
        return 48

    def __getattr__(self, name):
        if name[2:7] == "array":
            if name.endswith("face__"):
                return {"shape": (48,), "typestr": "|u1", "data": (id(secret), False), "version": 3}
        raise AttributeError(name)


print("ESCAPED:array_interface_of_enum" if secret in bytes(pd.array(pd.to_numeric(Array())).to_numpy(dtype="u1")) else "held")
