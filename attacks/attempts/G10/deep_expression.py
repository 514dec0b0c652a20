"""An expression so deep that a recursive checker gives up.

Bytes: escaped
"""
import statistics

value = <<80 times 1 and (>>statistics.sys.modules["os"].getpid(<<80 times )>>)
print("ESCAPED:deep_expression", value)
