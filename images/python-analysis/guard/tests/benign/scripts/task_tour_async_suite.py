import asyncio
import random
import time
from collections import deque
from contextlib import asynccontextmanager, AsyncExitStack, aclosing, suppress
import contextvars
import logging

logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s")
request_id = contextvars.ContextVar("request_id", default="-")


class RateLimiter:
    def __init__(self, rate):
        self._sem = asyncio.Semaphore(rate)
        self.peak = 0
        self._now = 0

    async def __aenter__(self):
        await self._sem.acquire()
        self._now += 1
        self.peak = max(self.peak, self._now)

    async def __aexit__(self, *exc):
        self._now -= 1
        self._sem.release()


class Ticker:
    def __init__(self, n):
        self.n = n

    def __aiter__(self):
        self.i = 0
        return self

    async def __anext__(self):
        if self.i >= self.n:
            raise StopAsyncIteration
        self.i += 1
        await asyncio.sleep(0)
        return self.i


@asynccontextmanager
async def connection(name):
    print("open", name)
    try:
        yield name.upper()
    finally:
        print("close", name)


async def fetch(i, limiter):
    request_id.set(str(i))
    async with limiter:
        await asyncio.sleep(0.001 * (i % 3))
        if i == 4:
            raise ValueError(f"bad {i}")
        return request_id.get()


async def agen():
    try:
        for i in range(10):
            yield i
    finally:
        print("agen done")


async def main():
    limiter = RateLimiter(2)
    results = await asyncio.gather(*(fetch(i, limiter) for i in range(6)), return_exceptions=True)
    print(results, limiter.peak, request_id.get())
    async with connection("db") as c, AsyncExitStack() as stack:
        await stack.enter_async_context(connection("cache"))
        print(c, [x async for x in Ticker(3)])
    async with aclosing(agen()) as g:
        async for x in g:
            if x == 2:
                break
    try:
        async with asyncio.TaskGroup() as tg:
            tg.create_task(fetch(4, limiter), name="bad")
            t = tg.create_task(asyncio.sleep(10))
    except* ValueError as eg:
        print("group", [str(e) for e in eg.exceptions], t.cancelled())
    with suppress(asyncio.TimeoutError):
        async with asyncio.timeout(0.01):
            await asyncio.sleep(1)
    try:
        await asyncio.wait_for(asyncio.Event().wait(), 0.01)
    except TimeoutError:
        print("timeout")
    q = asyncio.Queue(maxsize=2)

    async def worker(n):
        while True:
            item = await q.get()
            print("worker got", item)
            q.task_done()

    ws = [asyncio.create_task(worker(n)) for n in range(1)]
    for i in range(3):
        await q.put(i)
    await q.join()
    for w in ws:
        w.cancel()
    await asyncio.gather(*ws, return_exceptions=True)
    done, pending = await asyncio.wait([asyncio.ensure_future(asyncio.sleep(0.001, "a")), asyncio.create_task(asyncio.sleep(5))], return_when=asyncio.FIRST_COMPLETED)
    print(len(done), len(pending), done.pop().result())
    [p.cancel() for p in pending]
    for f in asyncio.as_completed([asyncio.sleep(0.002, 2), asyncio.sleep(0.001, 1)]):
        print(await f)
    loop = asyncio.get_running_loop()
    fut = loop.create_future()
    loop.call_later(0.001, fut.set_result, "later")
    loop.call_soon(print, "soon")
    print(await fut, await asyncio.to_thread(sum, [1, 2]), await loop.run_in_executor(None, lambda: 7), asyncio.current_task().get_name() != "", loop.time() > 0)
    shielded = asyncio.shield(asyncio.sleep(0.001, "s"))
    print(await shielded)


asyncio.run(main())
with asyncio.Runner() as runner:
    print(runner.run(asyncio.sleep(0, "runner")))
loop = asyncio.new_event_loop()
print(loop.run_until_complete(asyncio.sleep(0, "old")))
loop.close()
