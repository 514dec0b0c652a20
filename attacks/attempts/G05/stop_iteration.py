"""A generator's frame while it runs, from inside."""


def g():
    yield me.gi_frame.f_back


me = g()
print("ESCAPED:stop_iteration", next(me).f_builtins["eval"])
