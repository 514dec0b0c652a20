class Validated:
    def __set_name__(self, owner, name):
        self.public_name = name
        self.private_name = "_" + name

    def __get__(self, instance, owner=None):
        if instance is None:
            return self
        return getattr(instance, self.private_name)

    def __set__(self, instance, value):
        self.validate(value)
        setattr(instance, self.private_name, value)

    def validate(self, value):
        raise NotImplementedError


class Range(Validated):
    def __init__(self, low=None, high=None):
        self.low, self.high = low, high

    def validate(self, value):
        if not isinstance(value, (int, float)):
            raise TypeError(f"{self.public_name} must be a number, not {type(value).__name__}")
        if self.low is not None and value < self.low:
            raise ValueError(f"{self.public_name} must be at least {self.low}")
        if self.high is not None and value > self.high:
            raise ValueError(f"{self.public_name} must be at most {self.high}")


class OneOf(Validated):
    def __init__(self, *options):
        self.options = set(options)

    def validate(self, value):
        if value not in self.options:
            raise ValueError(f"{self.public_name} must be one of {sorted(self.options)}")


class Vitals:
    pulse = Range(20, 250)
    temperature = Range(low=30, high=45)
    position = OneOf("sitting", "lying", "standing")

    def __init__(self, pulse, temperature, position="sitting"):
        self.pulse = pulse
        self.temperature = temperature
        self.position = position

    def __repr__(self):
        attrs = ", ".join(f"{k.lstrip('_')}={v!r}" for k, v in self.__dict__.items())
        return f"{self.__class__.__name__}({attrs})"


v = Vitals(72, 36.6)
print(v)
for name, value in [("pulse", 400), ("temperature", "hot"), ("position", "flying"), ("pulse", 80)]:
    try:
        setattr(v, name, value)
        print(name, "->", getattr(v, name))
    except (TypeError, ValueError) as e:
        print(type(e).__name__ + ":", e)
print(type(Vitals.pulse).__name__, Vitals.__dict__["pulse"] is Vitals.pulse, hasattr(v, "weight"), getattr(v, "weight", "n/a"))
print(sorted(k for k, d in vars(Vitals).items() if isinstance(d, Validated)))
