"""A coroutine that is closed when the interpreter ends."""


class Wait:
    def __await__(self):
        yield 1


async def f():
    try:
        await Wait()
    finally:
        print("ESCAPED:coroutine_cleanup")


kept = f()
kept.send(None)
