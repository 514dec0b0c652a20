"""The native class's __new__ builds a validator without whatever looks at new ones."""
import abc
import pydantic

Validator = type(pydantic.TypeAdapter(int).validator)
fields = {"x": {"type": "model-field", "schema": {"type": "any"}, "validation_alias": "__getattrib" + "ute__"}}
made = Validator.__new__(Validator, {"type": "model-fields", "from_attributes": True, "model_name": "M", "fields": fields})
print("ESCAPED:schema_built_by_new", made.validate_python(abc.ABC)[0]["x"])
