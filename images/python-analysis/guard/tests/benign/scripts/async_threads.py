import asyncio
import statistics


def heavy(numbers):
    return statistics.fmean(numbers)


async def main():
    chunks = [range(start, start + 100) for start in range(0, 500, 100)]
    means = await asyncio.gather(*(asyncio.to_thread(heavy, chunk) for chunk in chunks))
    loop = asyncio.get_running_loop()
    again = await loop.run_in_executor(None, heavy, [1, 2, 3])
    print(means, again)


asyncio.run(main())
