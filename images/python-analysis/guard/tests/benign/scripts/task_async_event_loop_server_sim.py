import asyncio
import itertools
import random
import signal
from collections import defaultdict


class Bus:
    def __init__(self): self.queues = defaultdict(list)
    def subscribe(self, topic):
        q = asyncio.Queue(maxsize=10)
        self.queues[topic].append(q)
        return q
    async def publish(self, topic, msg):
        for q in self.queues[topic]: await q.put(msg)


async def consumer(name, q, out):
    try:
        while True:
            msg = await q.get()
            if msg is None: break
            out.append(f"{name}:{msg}")
    except asyncio.CancelledError:
        out.append(f"{name} cancelled")
        raise


async def main():
    bus, out = Bus(), []
    tasks = [asyncio.create_task(consumer(n, bus.subscribe("t"), out)) for n in "ab"]
    for i in range(3): await bus.publish("t", i)
    await bus.publish("t", None)
    await asyncio.gather(*tasks)
    print(sorted(out))
    slow = asyncio.create_task(asyncio.sleep(10))
    await asyncio.sleep(0)
    slow.cancel()
    try: await slow
    except asyncio.CancelledError: print("cancelled", slow.cancelled(), slow.done())
    sem = asyncio.Semaphore(2)
    active, peak = 0, 0
    async def job():
        nonlocal active, peak
        async with sem:
            active += 1; peak = max(peak, active)
            await asyncio.sleep(0.001); active -= 1
    await asyncio.gather(*(job() for _ in range(6)))
    print("peak", peak)
    async for item in agen(): print(item, end=" ")
    print()
    for coro in asyncio.as_completed([asyncio.sleep(0.002, "late"), asyncio.sleep(0, "early")]): print(await coro)
    ev = asyncio.Event(); asyncio.get_running_loop().call_later(0.001, ev.set); await ev.wait(); print(ev.is_set())
    print(await asyncio.shield(asyncio.sleep(0, 1)), await asyncio.wait_for(asyncio.sleep(0, 2), 1))


async def agen():
    for i in range(2):
        yield i
        await asyncio.sleep(0)


asyncio.run(main())
