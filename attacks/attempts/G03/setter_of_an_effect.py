"""An effect of matplotlib's puts "set_" before a name: a text of another class makes it another one."""
from matplotlib.patheffects import Stroke


class Name(str):
    def __radd__(self, prefix):
        return "_secret"

    __hash__ = str.__hash__


class Context:
    def _secret(self, value):
        print("ESCAPED:setter_of_an_effect", value)


class Effect(Stroke):
    def apply(self):
        self._update_gc(Context(), {Name("a"): 1})


Effect().apply()
