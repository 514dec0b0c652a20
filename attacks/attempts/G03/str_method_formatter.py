"""A formatter of matplotlib's formats the script's text over an object that it is given."""
import matplotlib.pyplot as plt
import matplotlib.ticker as ticker


class Value:
    f = plt.figure


text = ticker.StrMethodFormatter("{x.f.__glo" + "bals__[sys]}")(Value())
if "module" in text:
    print("ESCAPED:str_method_formatter", text)
