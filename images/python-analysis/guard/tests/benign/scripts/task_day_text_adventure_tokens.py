import shlex
import random
import textwrap
from types import SimpleNamespace, MappingProxyType


class Room:
    def __init__(self, name, description, exits=None, items=()):
        self.name = name
        self.description = textwrap.dedent(description).strip()
        self.exits = dict(exits or {})
        self.items = list(items)

    def __repr__(self):
        return f"<Room {self.name}>"


def build_world():
    hall = Room("hall", """
        A long hall. Portraits stare at you.
    """, {"north": "kitchen"}, ["lantern"])
    kitchen = Room("kitchen", "Smells of old soup.", {"south": "hall", "east": "garden"}, ["knife", "bread"])
    garden = Room("garden", "You are free!", {"west": "kitchen"})
    return MappingProxyType({r.name: r for r in (hall, kitchen, garden)})


class Game:
    def __init__(self, seed=0):
        self.world = build_world()
        self.player = SimpleNamespace(room=self.world["hall"], bag=[], moves=0)
        self.rng = random.Random(seed)
        self.running = True

    def do_go(self, direction):
        """go DIRECTION: walk"""
        try:
            self.player.room = self.world[self.player.room.exits[direction]]
        except KeyError:
            return f"You cannot go {direction}."
        self.player.moves += 1
        return self.do_look()

    def do_look(self):
        """look: describe the room"""
        room = self.player.room
        return f"{room.description} Exits: {', '.join(sorted(room.exits))}." + (f" Items: {', '.join(room.items)}." if room.items else "")

    def do_take(self, *items):
        """take ITEM...: pick up"""
        taken = [i for i in items if i in self.player.room.items]
        for item in taken:
            self.player.room.items.remove(item)
            self.player.bag.append(item)
        return f"Taken: {', '.join(taken) or 'nothing'}."

    def do_help(self):
        """help: this text"""
        return "\n".join(sorted(getattr(self, n).__doc__ for n in dir(self) if n.startswith("do_")))

    def do_quit(self):
        """quit: leave"""
        self.running = False
        return "Bye."

    def execute(self, line):
        try:
            verb, *args = shlex.split(line)
        except ValueError as e:
            return f"? {e}"
        method = getattr(self, f"do_{verb}", None)
        if method is None or not callable(method):
            return f"I don't know how to {verb!r}."
        try:
            return method(*args)
        except TypeError:
            return f"{verb}: wrong arguments"


game = Game()
script = ["look", "take lantern 'golden crown'", "go west", "go north", "dance", "take", "go east", "take 'broken", "go", "help", "quit"]
for line in script:
    print(f"> {line}\n{game.execute(line)}")
    if not game.running:
        break
print(game.player, game.world["hall"])
try:
    game.world["attic"] = None
except TypeError as e:
    print("TypeError:", "assignment" in str(e))
