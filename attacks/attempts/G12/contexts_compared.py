"""Contexts are compared by their values: a value's comparison changes both, in which native code goes on."""
import contextvars


class Value:
    def __eq__(self, other):
        asked.append(one.run(last.set, 5))
        return True


asked = []
last = contextvars.ContextVar("last")
one, other = contextvars.Context(), contextvars.Context()
for context in (one, other):
    context.run(last.set, Value())
print("ESCAPED:contexts_compared" if one == other and asked else "held")
