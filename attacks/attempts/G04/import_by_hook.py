"""The import statement calls a hook that the script replaces by exec."""


class Hook(dict):
    def __missing__(self, name):
        return getattr(__builtins__, name) if not isinstance(__builtins__, dict) else __builtins__[name]


print("ESCAPED:import_by_hook", Hook()["ev" + "al"]("__import__('os').getpid()"))
