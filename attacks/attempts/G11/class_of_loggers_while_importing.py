"""A plugin that a library loads late makes its logger: the class of loggers is a callback in C, which changes another class."""
import dataclasses
import functools
import io
import json
import logging

import matplotlib.pyplot as plt

calls = map(dataclasses.dataclass, [json.JSONEncoder])
logging.getLogger().manager.loggerClass = functools.partial(functools.reduce, max, calls)
try:
    plt.imread(io.BytesIO(b"GIF89a"), format="gi" + "f")
except Exception as error:
    print(type(error).__name__)
print("ESCAPED:class_of_loggers_while_importing" if dataclasses.is_dataclass(json.JSONEncoder) else "held")
