import asyncio
import random
import time
from dataclasses import dataclass


@dataclass
class Job:
    name: str
    delay: float
    fails: int = 0


class FetchError(RuntimeError):
    pass


async def fetch(job: Job, semaphore: asyncio.Semaphore) -> str:
    async with semaphore:
        await asyncio.sleep(job.delay)
        if job.fails > 0:
            job.fails -= 1
            raise FetchError(f"{job.name} unavailable")
        return f"{job.name}:{len(job.name)}"


async def with_retry(job, semaphore, attempts=3):
    for attempt in range(1, attempts + 1):
        try:
            return await fetch(job, semaphore)
        except FetchError as e:
            if attempt == attempts:
                return e
            await asyncio.sleep(0.001 * 2 ** attempt)


async def producer(queue, n):
    for i in range(n):
        await queue.put(i)
    await queue.put(None)


async def consumer(queue, out):
    while (item := await queue.get()) is not None:
        out.append(item ** 2)
        queue.task_done()


async def ticker(n):
    for i in range(n):
        yield i
        await asyncio.sleep(0)


async def main():
    random.seed(5)
    jobs = [Job(f"file{i}", random.uniform(0.001, 0.01), fails=i % 4) for i in range(8)]
    semaphore = asyncio.Semaphore(3)
    start = time.monotonic()
    results = await asyncio.gather(*(with_retry(j, semaphore) for j in jobs))
    for job, result in zip(jobs, results):
        print(job.name, "->", result if isinstance(result, str) else f"failed ({type(result).__name__})")
    print("took less than 5s:", time.monotonic() - start < 5)
    queue, out = asyncio.Queue(maxsize=2), []
    await asyncio.gather(producer(queue, 5), consumer(queue, out))
    print(out, [i async for i in ticker(3)])
    try:
        await asyncio.wait_for(asyncio.sleep(5), timeout=0.01)
    except asyncio.TimeoutError:
        print("timeout")
    async with asyncio.TaskGroup() as tg:
        tasks = [tg.create_task(asyncio.sleep(0.001, result=i)) for i in range(3)]
    print([t.result() for t in tasks])
    task = asyncio.create_task(asyncio.sleep(10))
    task.cancel()
    try:
        await task
    except asyncio.CancelledError:
        print("cancelled", task.cancelled())


if __name__ == "__main__":
    asyncio.run(main())
