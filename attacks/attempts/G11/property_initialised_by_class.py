"""A property of a library's class is initialised again, by the method of property, and of super."""
import fractions


class Mine(property):
    def again(self, other):
        super(Mine, type(self)).__init__(other, lambda self: 7)


Mine(None).again(fractions.Fraction.numerator)
property.__init__(fractions.Fraction.denominator, lambda self: 9)
print("ESCAPED:property_initialised_by_class" if fractions.Fraction(1, 2).denominator == 9 else "held")
