"""A loop's own list of what is ready, under its private name."""
import asyncio

loop = asyncio.new_event_loop()
loop.call_soon(print)
print("ESCAPED:event_loop_private", getattr(loop, "_re" + "ady")[0])
