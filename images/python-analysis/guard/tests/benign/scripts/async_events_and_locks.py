import asyncio


async def worker(number, start, lock, log):
    await start.wait()
    async with lock:
        log.append(number)
        await asyncio.sleep(0)


async def main():
    start, lock, log = asyncio.Event(), asyncio.Lock(), []
    tasks = [asyncio.create_task(worker(number, start, lock, log)) for number in range(5)]
    await asyncio.sleep(0)
    print(log, sum(not task.done() for task in tasks))
    start.set()
    for done in asyncio.as_completed(tasks):
        await done
    print(log)


loop = asyncio.new_event_loop()
try:
    loop.run_until_complete(main())
finally:
    loop.close()
