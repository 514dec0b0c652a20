import asyncio
import contextvars
import itertools
import threading

request_id: contextvars.ContextVar[str] = contextvars.ContextVar("request_id", default="-")
ids = itertools.count(1)


def log(message):
    print(f"[{request_id.get()}] {message}")


async def handle(name):
    token = request_id.set(f"req-{next(ids)}")
    try:
        log(f"start {name}")
        await asyncio.sleep(0)
        log(f"end {name}")
    finally:
        request_id.reset(token)


async def main():
    await asyncio.gather(*(handle(n) for n in "ab"))
    log("outside")


asyncio.run(main())
ctx = contextvars.copy_context()
ctx.run(request_id.set, "copied")
print(ctx[request_id], request_id.get(), request_id in ctx, len(ctx) >= 1, request_id.name)
t = threading.Thread(target=lambda: log("thread"))
t.start(); t.join()
with asyncio.Runner() as runner:
    print(runner.run(asyncio.sleep(0, "value")))
loop = asyncio.new_event_loop()
print(loop.run_until_complete(asyncio.sleep(0, 5)), loop.is_running())
loop.call_soon(print, "soon")
loop.call_later(0.001, loop.stop)
loop.run_forever()
fut = loop.create_future()
fut.set_result(3)
print(loop.run_until_complete(fut), fut.done())
loop.close()
