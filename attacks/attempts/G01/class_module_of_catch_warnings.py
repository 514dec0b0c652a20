"""A subclass of catch_warnings reads the module that it works on."""
import warnings


class Catch(warnings.catch_warnings):
    def module(self):
        return self._module


print("ESCAPED:class_module_of_catch_warnings", getattr(Catch().module(), "".join(("s", "ys"))).modules["os"].getpid())
