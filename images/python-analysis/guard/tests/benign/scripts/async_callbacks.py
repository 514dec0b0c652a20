import asyncio

seen = []


def done(task):
    seen.append(("done", task.result()))


async def compute():
    await asyncio.sleep(0)
    return 42


async def main():
    loop = asyncio.get_running_loop()
    task = loop.create_task(compute())
    task.add_done_callback(done)
    future = loop.create_future()
    loop.call_later(0.001, future.set_result, "later")
    loop.call_soon(seen.append, "soon")
    seen.append(await future)
    await task
    print(seen, asyncio.iscoroutinefunction(compute), asyncio.isfuture(future))


asyncio.run(main())
