"""What a coroutine waits for."""


class Wait:
    def __await__(self):
        yield 1


async def f():
    await Wait()


c = f()
c.send(None)
print("ESCAPED:await_chain", c.cr_await.gi_frame)
c.close()
