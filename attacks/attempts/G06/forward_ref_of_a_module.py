"""A forward reference names the module whose globals evaluate it: the real open of io."""
import typing

def f(x: typing.ForwardRef("FileIO", module="io")):
    return x

opener = typing.get_type_hints(f)["x"]
print("ESCAPED:forward_ref_of_a_module", opener("@CANARY@").read()[:7])
