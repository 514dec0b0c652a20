class Channel:
    def __init__(self):
        self.items = []
    def __aiter__(self):
        return self
    async def __anext__(self):
        if not self.items:
            raise StopAsyncIteration
        return self.items.pop()

async def double(value):
    return value * 2

async def main():
    total = 0
    channel = Channel()
    channel.items = [1, 2, 3]
    async for item in channel:
        total += await double(item)
    return total, [x async for x in Channel()]

def run(coroutine):
    try:
        coroutine.send(None)
    except StopIteration as end:
        return end.value

print(run(main()))
x = "global"
class Scope:
    x = "class"
    y = [x for _ in range(1)]
    def method(self):
        return x
print(Scope().method(), Scope.x, Scope.y)
