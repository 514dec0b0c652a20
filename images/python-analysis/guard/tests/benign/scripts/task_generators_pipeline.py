def read_numbers():
    for line in "3\n\n14\nx\n15\n92\n6\n".splitlines():
        yield line


def clean(lines):
    for line in lines:
        if line.strip():
            yield line.strip()


def to_int(lines):
    for line in lines:
        try:
            yield int(line)
        except ValueError:
            print(f"skip {line!r}")


def running_mean():
    total = count = 0
    mean = None
    while True:
        value = yield mean
        total += value
        count += 1
        mean = total / count


def chunked(iterable, size):
    chunk = []
    for x in iterable:
        chunk.append(x)
        if len(chunk) == size:
            yield chunk
            chunk = []
    if chunk:
        yield chunk


numbers = list(to_int(clean(read_numbers())))
print(numbers)
avg = running_mean()
next(avg)
print([round(avg.send(n), 2) for n in numbers])
avg.close()
print(list(chunked(range(7), 3)))


def tree(node, depth=0):
    yield depth, node["name"]
    for child in node.get("children", []):
        yield from tree(child, depth + 1)


root = {"name": "root", "children": [{"name": "a", "children": [{"name": "a1"}]}, {"name": "b"}]}
for depth, name in tree(root):
    print("  " * depth + name)
squares = (n * n for n in range(10) if n % 2)
print(next(squares), sum(squares), next(squares, "exhausted"))
evens = iter(lambda it=iter(range(0, 20, 2)): next(it), 8)
print(list(evens))
