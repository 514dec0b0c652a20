import json


class ReprMixin:
    def __repr__(self):
        args = ", ".join(f"{k}={v!r}" for k, v in vars(self).items() if not k.startswith("_"))
        return f"{type(self).__name__}({args})"


class JsonMixin:
    def to_json(self):
        return json.dumps(self.__dict__, sort_keys=True)

    @classmethod
    def from_json(cls, text):
        return cls(**json.loads(text))


class CompareMixin:
    def __lt__(self, other):
        return self.key() < other.key()


class Person(ReprMixin, JsonMixin, CompareMixin):
    def __init__(self, name, age=0):
        self.name = name
        self.age = age

    def key(self):
        return self.age


class Base:
    def hello(self):
        return ["Base"]


class Left(Base):
    def hello(self):
        return ["Left"] + super().hello()


class Right(Base):
    def hello(self):
        return ["Right"] + super().hello()


class Bottom(Left, Right):
    def hello(self):
        return ["Bottom"] + super().hello()


ann = Person("Ann", 30)
print(ann, ann.to_json(), Person.from_json('{"name": "Bob", "age": 5}'))
print(sorted([ann, Person("Cy", 4)]), min([ann, Person("Di", 12)]).name)
print(Bottom().hello(), [c.__name__ for c in Bottom.__mro__])
print(isinstance(Bottom(), Right), Bottom.__bases__[0].__name__, type(ann).__name__, ann.__dict__)
setattr(ann, "email", "a@b.c")
print(getattr(ann, "email"), getattr(ann, "phone", "none"), hasattr(ann, "age"), callable(ann.key))
delattr(ann, "email")
print(ann)
