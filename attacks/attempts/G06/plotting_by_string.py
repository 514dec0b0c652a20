"""DataFrame.eval in a numexpr dress: target and inplace with a call of a local's method."""
import pandas as pd


class Write:
    def now(self):
        with open("@OUTSIDE@/now", "w") as file:
            return file.write("x")


write = Write()
frame = pd.DataFrame({"a": [1]})
frame.eval("b = @write.now()", inplace=True)
print("ESCAPED:plotting_by_string", frame["b"][0])
