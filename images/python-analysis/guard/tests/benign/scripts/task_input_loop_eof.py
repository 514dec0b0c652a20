def read_numbers():
    numbers = []
    while True:
        try:
            line = input("number (empty to stop): ")
        except EOFError:
            print("\nno input, using defaults")
            return [1, 2, 3]
        if not line:
            return numbers
        numbers.append(float(line))


def menu():
    actions = {"1": "sum", "2": "mean"}
    try:
        choice = input("> ")
    except (EOFError, KeyboardInterrupt):
        choice = "1"
    return actions[choice]


print(menu(), read_numbers())
