import json
import jmespath

data = json.loads("""
{"people": [
  {"name": "Ann", "age": 31, "pets": [{"kind": "cat"}, {"kind": "dog"}]},
  {"name": "Bob", "age": 25, "pets": []},
  {"name": "Cy", "age": 44, "pets": [{"kind": "dog"}]}],
 "meta": {"count": 3, "source": "test"}}
""")
for expr in (
    "people[*].name",
    "people[?age > `30`].name",
    "people[].pets[].kind",
    "length(people)",
    "max_by(people, &age).name",
    "sort_by(people, &age)[*].{n: name, a: age}",
    "people[0].pets[-1].kind",
    "meta.missing",
    "sum(people[*].age)",
    "people[?contains(name, 'n')] | [0].age",
):
    print(f"{expr:<45} {jmespath.search(expr, data)}")
compiled = jmespath.compile("people[*].age")
ages = compiled.search(data)
print(sum(ages) / len(ages))
try:
    jmespath.compile("people[")
except jmespath.exceptions.ParseError as e:
    print(type(e).__name__)
