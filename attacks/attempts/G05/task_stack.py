"""The stack of a task of asyncio is a list of frames."""
import asyncio


async def main():
    print("ESCAPED:task_stack", asyncio.current_task().get_stack()[0].f_globals["__builtins__"])


asyncio.run(main())
