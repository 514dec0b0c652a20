"""type() makes a class of a pure class and a library's: it inherits the mark of the pure one."""
from scipy import stats


class Pure:
    def run(self):
        self._parse_arg_template = "print('ESCAPED:type_inherits_mark', ().__class__.__base__.__subclasses__()[0])"
        self._attach_methods()


type("Both", (Pure, stats.rv_continuous), {})().run()
