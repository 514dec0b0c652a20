import asyncio
import random


class Flaky(Exception):
    pass


attempts = {}


async def fetch(name):
    attempts[name] = attempts.get(name, 0) + 1
    await asyncio.sleep(0)
    if attempts[name] < 3:
        raise Flaky(name)
    return name.upper()


async def with_retry(name, times=5):
    for attempt in range(times):
        try:
            return await fetch(name)
        except Flaky:
            await asyncio.sleep(0.001 * 2**attempt)
    raise RuntimeError(f"{name} failed {times} times")


async def main():
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(with_retry(name)) for name in ("a", "b", "c")]
    print([task.result() for task in tasks], sum(attempts.values()))
    try:
        async with asyncio.TaskGroup() as group:
            group.create_task(with_retry("d", times=1))
    except* RuntimeError as errors:
        print([str(each) for each in errors.exceptions])


random.seed(1)
asyncio.run(main())
