"""The interface without the read-only flag writes: a bytes object changes."""
import numpy as np

secret = bytes(bytearray(b"0123456789abcdef"))


class Array:
    def __getattr__(self, name):
        if name == "__array_interface__":
            return {"shape": (48,), "typestr": "|u1", "data": (id(secret), False), "version": 3}
        raise AttributeError(name)


memory = np.asarray(Array())
memory[bytes(memory).index(b"0123")] = 88
print("ESCAPED:array_interface_writes" if secret.startswith(b"X123") else "held")
