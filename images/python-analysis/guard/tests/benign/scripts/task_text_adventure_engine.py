import random
from dataclasses import dataclass, field


@dataclass
class Room:
    name: str
    exits: dict = field(default_factory=dict)
    items: list = field(default_factory=list)


class Game:
    """Interactive when run by hand; scripted here."""

    def __init__(self, commands=None):
        hall, cellar = Room("hall", items=["lamp"]), Room("cellar", items=["coin"])
        hall.exits["down"], cellar.exits["up"] = cellar, hall
        self.here, self.bag, self.commands = hall, [], iter(commands or [])
        self.running = True

    def read(self):
        try:
            return next(self.commands)
        except StopIteration:
            return input("> ")

    def do(self, line):
        verb, _, noun = line.partition(" ")
        handler = getattr(self, f"cmd_{verb}", None)
        if handler is None:
            return f"I do not know how to {verb}."
        return handler(noun)

    def cmd_go(self, where):
        if where not in self.here.exits:
            return "No way."
        self.here = self.here.exits[where]
        return f"You are in the {self.here.name}."

    def cmd_take(self, what):
        if what in self.here.items:
            self.here.items.remove(what)
            self.bag.append(what)
            return f"Taken: {what}"
        return "Not here."

    def cmd_quit(self, _):
        self.running = False
        return f"Bye with {', '.join(self.bag) or 'nothing'}."

    def loop(self):
        while self.running:
            try:
                print(self.do(self.read()))
            except (EOFError, KeyboardInterrupt):
                break


if __name__ == "__main__":
    random.seed(0)
    Game(["take lamp", "go down", "take coin", "dance", "go up", "quit"]).loop()
    Game(["go up"]).loop()
