"""An array's own interface has its address, and a copy with another is one of any memory."""
import numpy as np

secret = b"0123456789abcdef"


class Array:
    pass


interface = dict(np.zeros(48, dtype="u1").__array_interface__)
interface["data"] = (id(secret), False)
Array.__array_interface__ = interface
print("ESCAPED:array_interface_read" if secret in bytes(np.asarray(Array())) else "held")
