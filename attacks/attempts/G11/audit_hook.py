"""Another audit hook sees what the guard does afterwards."""
import collections

collections._sys.addaudithook(lambda event, arguments: None)
print("ESCAPED:audit_hook")
