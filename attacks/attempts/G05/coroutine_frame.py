"""A coroutine's frame."""


async def f():
    pass


c = f()
print("ESCAPED:coroutine_frame", c.cr_frame.f_globals["__builtins__"])
c.close()
