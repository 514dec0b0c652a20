import asyncio
import contextlib
import random


async def fetch(name: str, delay: float) -> dict:
    await asyncio.sleep(delay)
    if name == "bad":
        raise RuntimeError(f"cannot fetch {name}")
    return {"name": name, "size": len(name)}


class AsyncResource:
    def __init__(self, name):
        self.name = name

    async def __aenter__(self):
        print("open", self.name)
        return self

    async def __aexit__(self, exc_type, exc, tb):
        print("close", self.name, exc_type.__name__ if exc_type else None)
        return exc_type is ValueError


async def ticker(n):
    for i in range(n):
        yield i
        await asyncio.sleep(0)


@contextlib.asynccontextmanager
async def timed(label):
    loop = asyncio.get_running_loop()
    start = loop.time()
    try:
        yield
    finally:
        print(label, "took some time:", loop.time() >= start)


async def worker(name, q, results):
    while True:
        job = await q.get()
        results.append((name, job * 2))
        q.task_done()


async def main():
    async with timed("gather"):
        results = await asyncio.gather(fetch("one", 0.01), fetch("bad", 0.0), fetch("three", 0.005), return_exceptions=True)
    for r in results:
        print(repr(r))
    async with AsyncResource("r1"):
        raise ValueError("swallowed")
    print([i async for i in ticker(4) if i % 2 == 0])
    q = asyncio.Queue()
    out = []
    tasks = [asyncio.create_task(worker(f"w{i}", q, out), name=f"w{i}") for i in range(2)]
    for j in range(6):
        q.put_nowait(j)
    await q.join()
    for t in tasks:
        t.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    print(sorted(v for _, v in out), [t.cancelled() for t in tasks])
    try:
        async with asyncio.timeout(0.01):
            await asyncio.sleep(5)
    except TimeoutError:
        print("timeout")
    try:
        await asyncio.wait_for(asyncio.sleep(5), timeout=0.01)
    except asyncio.TimeoutError:
        print("wait_for timeout")
    try:
        async with asyncio.TaskGroup() as tg:
            t1 = tg.create_task(fetch("x", 0))
            tg.create_task(fetch("bad", 0))
    except* RuntimeError as group:
        print("group:", [str(e) for e in group.exceptions])
    done, pending = await asyncio.wait([asyncio.ensure_future(fetch("a", 0)), asyncio.ensure_future(asyncio.sleep(1))], return_when=asyncio.FIRST_COMPLETED)
    print(len(done), len(pending))
    for p in pending:
        p.cancel()
    lock = asyncio.Lock()
    async with lock:
        print(lock.locked())
    print(await asyncio.to_thread(sum, [1, 2, 3]))
    print(await asyncio.get_event_loop().run_in_executor(None, max, 3, 9))
    print(asyncio.iscoroutinefunction(fetch), asyncio.current_task().get_name() != "")


asyncio.run(main())
