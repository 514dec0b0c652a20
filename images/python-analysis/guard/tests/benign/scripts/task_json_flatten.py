import json


def flatten(obj, parent="", sep="."):
    items = {}
    if isinstance(obj, dict):
        for k, v in obj.items():
            items.update(flatten(v, f"{parent}{sep}{k}" if parent else str(k), sep))
    elif isinstance(obj, list):
        for i, v in enumerate(obj):
            items.update(flatten(v, f"{parent}[{i}]", sep))
    else:
        items[parent] = obj
    return items


def deep_get(obj, path, default=None):
    for key in path.split("."):
        try:
            obj = obj[int(key)] if isinstance(obj, list) else obj[key]
        except (KeyError, IndexError, ValueError, TypeError):
            return default
    return obj


doc = json.loads("""
{"user": {"name": "Zoë", "tags": ["admin", "ops"], "address": {"city": "Köln", "zip": null}},
 "orders": [{"id": 1, "total": 9.99}, {"id": 2, "total": 20}], "active": true}
""")
for k, v in flatten(doc).items():
    print(f"{k} = {json.dumps(v, ensure_ascii=False)}")
print(deep_get(doc, "orders.1.total"), deep_get(doc, "orders.9.total", "n/a"))
print(json.dumps(doc, indent=2, sort_keys=True, ensure_ascii=False)[:60])
with open("flat.json", "w", encoding="utf-8") as fp:
    json.dump(flatten(doc), fp, ensure_ascii=False)
with open("flat.json", encoding="utf-8") as fp:
    assert json.load(fp) == flatten(doc)
try:
    json.loads('{"a": 1,}')
except json.JSONDecodeError as e:
    print("bad JSON at line", e.lineno, "column", e.colno)
