"""Cook orders concurrently with asyncio."""
import asyncio
import random
from dataclasses import dataclass


@dataclass
class Order:
    table: int
    dish: str
    minutes: float


class Kitchen:
    def __init__(self, stoves):
        self.stoves = asyncio.Semaphore(stoves)
        self.done = []

    async def cook(self, order):
        async with self.stoves:
            await asyncio.sleep(order.minutes / 1000)
            if order.dish == "burnt toast":
                raise RuntimeError(f"table {order.table}: smoke!")
            self.done.append(order.table)
            return f"{order.dish} for {order.table}"


async def producer(queue, orders):
    for order in orders:
        await queue.put(order)
        await asyncio.sleep(0)
    await queue.put(None)


async def waiter(name, queue, kitchen, results):
    while (order := await queue.get()) is not None:
        try:
            results.append(await asyncio.wait_for(kitchen.cook(order), timeout=2))
        except RuntimeError as exc:
            results.append(str(exc))
        finally:
            queue.task_done()
    await queue.put(None)


async def countdown(n):
    while n:
        yield n
        n -= 1
        await asyncio.sleep(0)


async def main():
    rng = random.Random(5)
    dishes = ["soup", "stew", "burnt toast", "cake"]
    orders = [Order(i, dishes[i % 4], rng.uniform(1, 5)) for i in range(8)]
    queue, results = asyncio.Queue(maxsize=3), []
    kitchen = Kitchen(2)
    async with asyncio.TaskGroup() as group:
        group.create_task(producer(queue, orders))
        for name in ("Ada", "Bo"):
            group.create_task(waiter(name, queue, kitchen, results), name=name)
    print(len(results), sorted(results)[:3], sorted(kitchen.done))
    print([n async for n in countdown(3)])
    gathered = await asyncio.gather(kitchen.cook(orders[0]), kitchen.cook(orders[2]), return_exceptions=True)
    print([type(g).__name__ for g in gathered])
    try:
        async with asyncio.timeout(0.01):
            await asyncio.sleep(5)
    except TimeoutError:
        print("timed out")
    event = asyncio.Event()
    asyncio.get_running_loop().call_later(0.01, event.set)
    await event.wait()
    task = asyncio.create_task(asyncio.sleep(9))
    task.cancel()
    with_result = await asyncio.gather(task, return_exceptions=True)
    print(type(with_result[0]).__name__, event.is_set())


asyncio.run(main())
