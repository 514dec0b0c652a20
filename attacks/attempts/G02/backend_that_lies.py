"""A figure is saved by a backend whose name is equal to every listed one."""
import matplotlib.pyplot as plt


class Lie(str):
    def __eq__(self, other):
        return other != "matplotlib"

    def __ne__(self, other):
        return False

    def __hash__(self):
        return hash(str(self))

    def startswith(self, prefix, *more):
        return prefix == "module://"

    def __getitem__(self, key):
        return self


try:
    plt.figure().savefig("x.png", backend=Lie("this"))
except AttributeError as error:
    if "module 'this'" in str(error):
        print("ESCAPED:backend_that_lies")
