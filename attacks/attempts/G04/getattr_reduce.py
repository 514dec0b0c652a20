"""getattr in functools.reduce: a whole path of attributes.

Selected: yes
"""
import functools

print("ESCAPED:getattr_reduce", functools.reduce(getattr, ["__cl" + "ass__", "__ba" + "se__", "__subcl" + "asses__"], ())()[0])
