from contextlib import contextmanager, suppress, ExitStack
@contextmanager
def tag(name):
    print("<", name)
    try: yield name.upper()
    finally: print(">", name)
with tag("a") as t, tag("b"):
    print(t)
class R:
    def __enter__(self): print("in"); return self
    def __exit__(self, et, ev, tb): print("out", et.__name__ if et else None); return True
with R() as r:
    raise ValueError
with suppress(KeyError): {}["x"]
with ExitStack() as st: st.callback(print, "cb"); print("body")
