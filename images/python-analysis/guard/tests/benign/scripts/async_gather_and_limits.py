import asyncio


async def score(site, limit):
    async with limit:
        await asyncio.sleep(0)
        return site, len(site) * 2


async def main():
    limit = asyncio.Semaphore(2)
    found = await asyncio.gather(*(score(site, limit) for site in ["Oslo", "Bergen", "Troms"]))
    for site, value in sorted(found):
        print(f"{site:8}{value:4d}")
    failed = await asyncio.gather(asyncio.sleep(0, 1), broken(), return_exceptions=True)
    print([type(each).__name__ for each in failed])


async def broken():
    raise LookupError("no such site")


if __name__ == "__main__":
    asyncio.run(main())
