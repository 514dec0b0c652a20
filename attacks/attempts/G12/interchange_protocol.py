"""pandas reads the buffers of another library's frame by their addresses."""
import numpy as np
import pandas as pd

secret = b"0123456789abcdef"


class Buffer:
    ptr = id(secret)
    bufsize = 48


class Column:
    offset = 0
    dtype = (1, 8, "C", "=")  # UINT
    null_count = 0
    describe_null = (0, None)
    metadata = {}

    def size(self):
        return 48

    def get_buffers(self):
        return {"data": (Buffer(), self.dtype), "validity": None, "offsets": None}


class Frame:
    metadata = {}

    def get_chunks(self, n=None):
        return [self]

    def column_names(self):
        return ["a"]

    def get_column_by_name(self, name):
        return Column()

    def num_chunks(self):
        return 1

    def __getattr__(self, name):
        if name == "__data" + "frame__":
            return lambda **options: self
        raise AttributeError(name)


frame = pd.api.interchange.from_dataframe(Frame())
print("ESCAPED:interchange_protocol" if secret in bytes(frame["a"].to_numpy()) else "held")
