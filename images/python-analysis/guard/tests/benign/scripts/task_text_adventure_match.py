def handle(command, state):
    match command.split():
        case ["go", ("north" | "south" | "east" | "west") as direction]:
            state["log"].append(direction)
            return f"You go {direction}."
        case ["go", other]:
            return f"You cannot go {other}."
        case ["take", *items] if items:
            state["bag"].extend(items)
            return f"Taken: {', '.join(items)}"
        case ["drop", item] if item in state["bag"]:
            state["bag"].remove(item)
            return f"Dropped {item}"
        case []:
            return "Say something."
        case _:
            return "I do not understand."


def shape(data):
    match data:
        case {"type": "circle", "r": float() | int() as r}:
            return f"circle {3.14159 * r * r:.2f}"
        case {"type": "rect", "w": w, "h": h, **rest}:
            return f"rect {w * h} {sorted(rest)}"
        case (x, y):
            return f"pair {x},{y}"
        case [first, *_, last]:
            return f"from {first} to {last}"
        case str() as s if s.isdigit():
            return f"digits {int(s)}"
        case None | False:
            return "nothing"
        case int(n):
            return f"int {n}"
    return "other"


state = {"bag": [], "log": []}
for c in ("go north", "go up", "take lamp key", "drop lamp", "drop sword", "", "dance"):
    print(f"> {c}\n{handle(c, state)}")
print(state)
for d in ({"type": "circle", "r": 2}, {"type": "rect", "w": 2, "h": 3, "c": 1}, (1, 2), [1, 2, 3], "42", None, 7, 2.5):
    print(shape(d))
