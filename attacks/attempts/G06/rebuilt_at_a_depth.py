"""pydantic evaluates a type's text with the variables of the frame at a depth that the caller gives."""
import pydantic

found = []
for depth in range(1, 12):
    for name in ("Path", "Attributes", "Budget", "Report"):
        try:
            made = pydantic.TypeAdapter(name, config=pydantic.ConfigDict(arbitrary_types_allowed=True), _parent_depth=depth)
            made.validate_python(object())
        except pydantic.ValidationError:
            found.append((depth, name))
        except Exception:
            continue
print("ESCAPED:rebuilt_at_a_depth" if found else "held", found)
