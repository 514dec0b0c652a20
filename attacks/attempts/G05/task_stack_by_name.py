"""The stack of a task, by names that are built at run time, from a callback of the loop."""
import asyncio

found = []


def look(task):
    found.extend(getattr(task, "get_" + "stack")())


async def wait():
    await asyncio.sleep(0.01)


async def main():
    task = asyncio.create_task(wait())
    asyncio.get_running_loop().call_soon(look, task)
    await task


asyncio.run(main())
print("ESCAPED:task_stack_by_name", getattr(found[0], "f_" + "globals")["__builtins__"])
