"""A validator leads to the native class, which builds one of a schema that nobody has looked at."""
import abc
import pydantic

Validator = type(pydantic.TypeAdapter(int).validator)
fields = {"x": {"type": "model-field", "schema": {"type": "any"}, "validation_alias": "__getattrib" + "ute__"}}
made = Validator({"type": "model-fields", "from_attributes": True, "model_name": "M", "fields": fields})
print("ESCAPED:schema_built_by_its_class", made.validate_python(abc.ABC)[0]["x"])
