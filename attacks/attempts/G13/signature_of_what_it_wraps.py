"""An object answers by code what it wraps: its signature holds a library's own objects."""
import inspect

import pandas


class Asked:
    def __getattr__(self, name):
        if name == "__wrapped__":
            return pandas.read_csv
        raise AttributeError(name)

    def __call__(self):
        pass


plain = (str, int, float, bool, bytes, type(None))
for name, parameter in inspect.signature(Asked()).parameters.items():
    default = parameter.default
    if default is not inspect.Parameter.empty and type(default) not in plain and type(default).__name__ != "Shown":
        print("ESCAPED:signature_of_what_it_wraps", name, default)
        break
