"""The function inside the setter that pydantic gives a computed field calls any attribute of what it wraps by its name."""
import logging

import numpy as np
import pydantic


class Settable:
    setter = shape = ()


logging.basicConfig(filename=str(OUTPUT / "log.txt"), force=True)
forwards = np.lib.Arrayterator(np.arange(3))
forwards.var = Settable()
proxy = type(pydantic.computed_field(property(len)))(wrapped=forwards, decorator_info=None)
forwards.var = logging.getLogger().handlers[0]
proxy.setter.func("_builtin_open", name="__getattr__")
print("ESCAPED:setter_of_a_proxy" if callable(proxy.wrapped) else "held")
