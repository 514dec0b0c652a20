"""What is not there is looked for, and the script says itself what it does then."""

import pandas as pd

record = {"age": 41, "sex": "f"}
for key in ("age", "weight"):
    try:
        print(key, record[key])
    except KeyError as error:
        print("no", error, type(error).__name__)

try:
    visits["no_such_column"]
except KeyError as error:
    print("no column", error.args)

try:
    visits.no_such_column
except AttributeError as error:
    print(str(error))

try:
    undefined_name
except NameError as error:
    print(str(error), error.name)

try:
    pd.read_csv("no_such_file.csv")
except FileNotFoundError as error:
    print(error.filename, error.errno)

try:
    open("no_such_file.txt")
except OSError as error:
    print(error)

print(getattr(visits, "no_such_column", "default"), record.get("weight", 0.0), "x" in record)
