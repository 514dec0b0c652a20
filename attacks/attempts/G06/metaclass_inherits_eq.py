"""A metaclass takes __eq__ and __hash__ from an ordinary class: a hybrid class passes for a pure one."""
from scipy import stats


class Same:
    def __eq__(self, other):
        return True

    def __hash__(self):
        return 4711


class Meta(Same, type(int)):
    pass


class Pure(metaclass=Meta):
    pass


class Hybrid(stats.rv_continuous, metaclass=Meta):
    pass


def run(it):
    it._parse_arg_template = "print('ESCAPED:metaclass_inherits_eq', ().__class__.__base__.__subclasses__()[0])"
    it._attach_methods()


run(Hybrid())
