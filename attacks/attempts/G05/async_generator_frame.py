"""An asynchronous generator's frame."""


async def f():
    yield 1


print("ESCAPED:async_generator_frame", f().ag_frame.f_globals["__builtins__"])
