"""The backend of pyplot is a name that is equal to every listed one."""
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
    plt.switch_backend(Lie("this"))
except AttributeError as error:
    if "module 'this'" in str(error):
        print("ESCAPED:backend_switched_by_a_lie")
