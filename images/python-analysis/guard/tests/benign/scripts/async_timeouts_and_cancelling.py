import asyncio


async def slow(name):
    try:
        await asyncio.sleep(3600)
    except asyncio.CancelledError:
        print(name, "was cancelled")
        raise


async def main():
    try:
        await asyncio.wait_for(slow("first"), timeout=0.01)
    except asyncio.TimeoutError:
        print("too late")
    try:
        async with asyncio.timeout(0.01):
            await slow("second")
    except TimeoutError:
        print("too late again")
    task = asyncio.create_task(slow("third"))
    await asyncio.sleep(0)
    task.cancel()
    done, pending = await asyncio.wait({task})
    print(len(done), len(pending), task.cancelled())


asyncio.run(main())
