"""scipy puts the shapes of a distribution into code after it has looked at them once."""
from scipy import stats

CODE = 'a=0): pass\nimport os\n_found = [os.getpid()]\nprint("ESCAPED:distribution_shapes_that_lie", _found)\n"""#'


class Names:
    times = 0

    def __iter__(self):
        self.times += 1
        return iter(["a"] if self.times == 1 else [CODE])

    def __len__(self):
        return 1


class Shapes(str):
    def replace(self, *args):
        return self

    def split(self, *args):
        return Names()


stats.rv_continuous(shapes=Shapes("a"))
