"""contextlib.redirect_stdout swaps any attribute of sys that a subclass names, and keeps the old value."""
import contextlib


class Redirect(contextlib.redirect_stdout):
    _stream = "modules"

    def old(self):
        return self._old_targets[0]


redirect = Redirect({})
redirect.__enter__()
modules = redirect.old()
redirect.__exit__(None, None, None)
print("ESCAPED:redirect_any_stream", modules["posix"].getpid())
