"""The text is made a constant of the function that formats it, as a library's own text is."""
import matplotlib.pyplot as plt

def own(thing, template="{0.__globals__[sys].version}"):
    "{0.__globals__[sys].version}"
    return template

def f(thing):
    text = "{0.__glob" "als__[sys].version}"
    return text.format(thing)

print("ESCAPED:format_looks_like_the_library", f(plt.figure)[:20])
