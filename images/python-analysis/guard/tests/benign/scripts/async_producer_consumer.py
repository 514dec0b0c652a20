import asyncio


async def produce(queue, numbers):
    for number in numbers:
        await queue.put(number)
    await queue.put(None)


async def consume(queue, totals):
    while (number := await queue.get()) is not None:
        totals.append(number**2)
        queue.task_done()


async def main():
    queue, totals = asyncio.Queue(maxsize=3), []
    producer = asyncio.create_task(produce(queue, range(10)))
    consumer = asyncio.create_task(consume(queue, totals), name="consumer")
    await asyncio.gather(producer, consumer)
    print(sum(totals), consumer.get_name(), consumer.done())


asyncio.run(main())
