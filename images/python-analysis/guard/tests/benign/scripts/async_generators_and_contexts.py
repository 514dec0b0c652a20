import asyncio
import contextlib
import pandas as pd


@contextlib.asynccontextmanager
async def opened(name):
    print("open", name)
    try:
        yield {"name": name}
    finally:
        print("close", name)


async def rows(count):
    for number in range(count):
        await asyncio.sleep(0)
        yield {"visit": number, "value": number * 1.5}


async def main():
    async with opened("visits") as source:
        frame = pd.DataFrame([row async for row in rows(4)])
    frame["source"] = source["name"]
    return frame


frame = asyncio.run(main())
print(frame.groupby("source")["value"].agg(["mean", "count"]))
