"""plotly's optional imports take a module's name."""
import plotly

print("ESCAPED:plotly_optional_imports", plotly.optional_imports.get_module("os").getpid())
