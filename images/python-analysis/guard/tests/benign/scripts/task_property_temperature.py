class Celsius:
    """A temperature with two views."""

    scale = "C"

    def __init__(self, degrees=0.0):
        self.degrees = degrees

    @property
    def degrees(self):
        """Degrees Celsius."""
        return self._degrees

    @degrees.setter
    def degrees(self, value):
        if value < -273.15:
            raise ValueError("below absolute zero")
        self._degrees = float(value)

    @degrees.deleter
    def degrees(self):
        self._degrees = 0.0

    @property
    def fahrenheit(self):
        return self.degrees * 9 / 5 + 32

    @fahrenheit.setter
    def fahrenheit(self, value):
        self.degrees = (value - 32) * 5 / 9

    def __eq__(self, other):
        if not isinstance(other, Celsius):
            return NotImplemented
        return round(self.degrees, 6) == round(other.degrees, 6)

    def __repr__(self):
        return f"Celsius({self.degrees:g})"

    def __float__(self):
        return self.degrees

    def __round__(self, n=0):
        return Celsius(round(self.degrees, n))

    def __index__(self):
        return int(self.degrees)


t = Celsius(25)
print(t, t.fahrenheit)
t.fahrenheit = 212
print(t, t == Celsius(100), t != 100, float(t), round(Celsius(21.567), 1), list(range(5))[Celsius(2)])
try:
    t.degrees = -300
except ValueError as e:
    print("ValueError:", e)
try:
    t.scale2
except AttributeError as e:
    print("AttributeError:", e)
del t.degrees
print(t, Celsius.degrees.__doc__, Celsius.scale, type(t).__doc__)
