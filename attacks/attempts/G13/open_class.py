"""An instance that stands for a function leads to its class and that to its fields."""
found = type(open).__init__.__class__.__base__.__subclasses__()
print("ESCAPED:open_class", len(found))
