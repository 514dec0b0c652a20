"""A dict becomes the attributes of a simple namespace."""
import argparse
import numpy as np

secret = b"0123456789abcdef"
names = {"__array_inter" + "face__": {"shape": (48,), "typestr": "|u1", "data": (id(secret), False), "version": 3}}
print("ESCAPED:array_interface_of_namespace" if secret in bytes(np.asarray(argparse.Namespace(**names))) else "held")
