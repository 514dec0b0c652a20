from __future__ import annotations
from abc import ABC, abstractmethod
from collections import defaultdict
from contextlib import contextmanager
from typing import Any, Callable
import functools
import uuid


class Observable:
    def __init_subclass__(cls, **kw):
        super().__init_subclass__(**kw)
        cls.observed = [n for n in cls.__annotations__ if not n.startswith("_")]

    def __setattr__(self, name, value):
        old = self.__dict__.get(name)
        super().__setattr__(name, value)
        if name in type(self).observed and old != value:
            for callback in self.__dict__.get("_callbacks", {}).get(name, ()):
                callback(self, name, old, value)

    def observe(self, name, callback):
        if "_callbacks" not in self.__dict__:
            super().__setattr__("_callbacks", defaultdict(list))
        self._callbacks[name].append(callback)


class Document(Observable):
    title: str
    text: str = ""
    _id: Any = None

    def __init__(self, title):
        self.title = title
        self.text = ""
        self._id = uuid.UUID(int=1)


class Command(ABC):
    @abstractmethod
    def do(self, doc): ...

    @abstractmethod
    def undo(self, doc): ...


class Insert(Command):
    def __init__(self, at, text):
        self.at, self.new = at, text

    def do(self, doc):
        doc.text = doc.text[:self.at] + self.new + doc.text[self.at:]

    def undo(self, doc):
        doc.text = doc.text[:self.at] + doc.text[self.at + len(self.new):]


class Macro(Command):
    def __init__(self, *commands):
        self.commands = commands

    def do(self, doc):
        for c in self.commands:
            c.do(doc)

    def undo(self, doc):
        for c in reversed(self.commands):
            c.undo(doc)


class Editor:
    def __init__(self, doc):
        self.doc, self.done, self.undone = doc, [], []

    def run(self, command):
        command.do(self.doc)
        self.done.append(command)
        self.undone.clear()

    def undo(self):
        self.undone.append(self.done.pop())
        self.undone[-1].undo(self.doc)

    def redo(self):
        self.run(self.undone.pop()) if self.undone else None


log = []
doc = Document("notes")
doc.observe("text", lambda obj, name, old, new: log.append((name, len(old), len(new))))
doc.observe("title", functools.partial(lambda prefix, obj, name, old, new: log.append(f"{prefix}{old}->{new}"), "T:"))
ed = Editor(doc)
ed.run(Insert(0, "world"))
ed.run(Macro(Insert(0, "hello "), Insert(11, "!")))
print(doc.text)
ed.undo()
print(doc.text)
ed.redo()
doc.title = "letters"
doc.title = "letters"
print(doc.text, log, Document.observed, doc._id, vars(doc).keys())


@contextmanager
def frozen(obj):
    saved = dict(vars(obj))
    yield obj
    vars(obj).update(saved)


with frozen(doc) as d:
    d.text = "temp"
print(doc.text)
