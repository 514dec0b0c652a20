"""vars gives an object's dict."""
import textwrap

print("ESCAPED:vars_of_function", vars(textwrap)["re"].enum.sys.modules["os"].getpid())
