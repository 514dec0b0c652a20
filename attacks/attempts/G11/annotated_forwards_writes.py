"""typing.Annotated hands what is set on it to its class: a library's, which reports."""
import json
import typing


def encode(self, o):
    print("ESCAPED:annotated_forwards_writes")
    return "{}"


alias = typing.Annotated[json.JSONEncoder, 1]
alias.encode = encode
print(json.dumps({"a": 1}, separators=(",", ":")))
