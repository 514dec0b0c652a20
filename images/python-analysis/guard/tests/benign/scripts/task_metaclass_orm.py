"""A tiny ORM: fields as descriptors, models through a metaclass."""


class Field:
    def __init__(self, kind, default=None, nullable=True):
        self.kind, self.default, self.nullable = kind, default, nullable

    def __set_name__(self, owner, name):
        self.name = name
        self.private = "_" + name

    def __get__(self, obj, objtype=None):
        if obj is None:
            return self
        return getattr(obj, self.private, self.default)

    def __set__(self, obj, value):
        if value is None and not self.nullable:
            raise ValueError(f"{self.name} may not be None")
        if value is not None and not isinstance(value, self.kind):
            raise TypeError(f"{self.name} must be {self.kind.__name__}")
        setattr(obj, self.private, value)

    def __delete__(self, obj):
        delattr(obj, self.private)


class ModelMeta(type):
    registry = {}

    def __new__(mcs, name, bases, namespace, **kwargs):
        fields = {}
        for base in bases:
            fields.update(getattr(base, "_fields", {}))
        fields.update({k: v for k, v in namespace.items() if isinstance(v, Field)})
        namespace["_fields"] = fields
        namespace["_table"] = kwargs.get("table", name.lower() + "s")
        cls = super().__new__(mcs, name, bases, namespace)
        mcs.registry[name] = cls
        return cls

    def __init__(cls, name, bases, namespace, **kwargs):
        super().__init__(name, bases, namespace)

    def __iter__(cls):
        return iter(cls._fields)

    def __len__(cls):
        return len(cls._fields)


class Model(metaclass=ModelMeta):
    def __init__(self, **values):
        for name in self._fields:
            setattr(self, name, values.pop(name, self._fields[name].default))
        if values:
            raise TypeError(f"unknown: {', '.join(values)}")

    def insert(self):
        cols = ", ".join(self._fields)
        vals = ", ".join(repr(getattr(self, f)) for f in self._fields)
        return f"INSERT INTO {self._table} ({cols}) VALUES ({vals})"

    def __repr__(self):
        return f"<{type(self).__name__} {self.__dict__}>"


class User(Model):
    id = Field(int, 0, nullable=False)
    name = Field(str)


class Admin(User, table="admins"):
    level = Field(int, 1)


u = User(id=1, name="ann")
a = Admin(id=2, name="bob", level=3)
print(u.insert())
print(a.insert())
print(list(Admin), len(User), sorted(ModelMeta.registry))
print(u, vars(a))
for bad in (lambda: setattr(u, "name", 3), lambda: User(id=None), lambda: User(idd=1)):
    try:
        bad()
    except (TypeError, ValueError) as e:
        print(type(e).__name__, e)
del a.level
print(a.level, type(User).__name__, isinstance(User, ModelMeta), issubclass(Admin, User), Admin.__mro__[1].__name__)
print(User.name.kind.__name__, User.__dict__["id"].default)
Dynamic = type("Dynamic", (User,), {"extra": Field(float, 1.5)})
print(Dynamic(id=1).insert())
Meta2 = ModelMeta("Third", (Model,), {"z": Field(int, 9)})
print(Meta2().z)
