"""An asynchronous comprehension in a coroutine that is driven by hand."""


class Many:
    def __aiter__(self):
        return self

    async def __anext__(self):
        raise StopAsyncIteration


async def f():
    return [x async for x in Many()] + [__import__("os").getpid()]


try:
    f().send(None)
except StopIteration as end:
    print("ESCAPED:async_comprehension", end.value)
