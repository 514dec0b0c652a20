"""A description of memory that has a type under every key that could be the one numpy looks for."""
import dataclasses
import numpy as np

secret = b"0123456789abcdef"
memory = {"shape": (48,), "typestr": "|u1", "data": (id(secret), False), "version": 3}
name = "__array_inter" + "face__"
for key in ("\udcff" * 7, "\xff" * 7, b"typestr", b"\xff" * 7, "", "\0"):
    memory[key] = "|u1"
A = dataclasses.make_dataclass("A", [], namespace={name: memory})
print("ESCAPED:interface_with_every_key" if secret in bytes(np.asarray(A())) else "held")
