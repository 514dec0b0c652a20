import asyncio
import random
from collections.abc import AsyncIterator

class Station:
    def __init__(self, name, delay):
        self.name, self.delay = name, delay
    async def __aenter__(self):
        await asyncio.sleep(0)
        return self
    async def __aexit__(self, *exc):
        print("closed", self.name, exc[0].__name__ if exc[0] else None)
        return False
    async def read(self):
        await asyncio.sleep(self.delay)
        if self.name == "peak":
            raise ConnectionError("antenna iced")
        return {"name": self.name, "temp": len(self.name) * 3}

async def ticks(n) -> AsyncIterator[int]:
    for i in range(n):
        await asyncio.sleep(0.001)
        yield i

async def guarded(name, delay):
    async with Station(name, delay) as st:
        return await st.read()

async def main():
    res = await asyncio.gather(*(guarded(n, d) for n, d in [("bay", 0.03), ("peak", 0.01), ("moor", 0.02)]), return_exceptions=True)
    for r in res:
        print(r if isinstance(r, dict) else f"failed: {r!r}")
    print([i async for i in ticks(4) if i % 2])
    try:
        async with asyncio.timeout(0.01):
            await asyncio.sleep(1)
    except TimeoutError:
        print("timed out")
    q = asyncio.Queue()
    async def produce():
        for i in range(3):
            await q.put(i)
        await q.put(None)
    async def consume():
        total = 0
        while (x := await q.get()) is not None:
            total += x
        return total
    async with asyncio.TaskGroup() as tg:
        tg.create_task(produce())
        c = tg.create_task(consume(), name="consumer")
    print(c.result(), c.get_name())
    loop = asyncio.get_running_loop()
    print(await loop.run_in_executor(None, sum, [1, 2, 3]), await asyncio.to_thread(len, "four"))
    t = asyncio.create_task(asyncio.sleep(5)); await asyncio.sleep(0); t.cancel()
    try: await t
    except asyncio.CancelledError: print("cancelled", t.cancelled())
    done, pending = await asyncio.wait([asyncio.create_task(asyncio.sleep(d, d)) for d in (0.001, 0.2)], return_when=asyncio.FIRST_COMPLETED)
    print([d.result() for d in done], len(pending))
    for p in pending: p.cancel()

if __name__ == "__main__":
    asyncio.run(main())
