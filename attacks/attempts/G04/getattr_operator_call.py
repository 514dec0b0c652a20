"""getattr by operator.call."""
import operator

print("ESCAPED:getattr_operator_call", operator.call(getattr, print, "__se" + "lf__").__name__)
