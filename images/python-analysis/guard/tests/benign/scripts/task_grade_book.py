from collections import defaultdict
from statistics import mean

grades = """Alice,math,90
Alice,physics,85
Bob,math,72
Bob,physics,58
Carol,math,95
Carol,physics,invalid
Dave,math,40"""


def letter(score):
    for limit, name in ((90, "A"), (80, "B"), (70, "C"), (60, "D")):
        if score >= limit:
            return name
    return "F"


book = defaultdict(dict)
errors = []
for n, line in enumerate(grades.splitlines(), start=1):
    try:
        name, subject, score = line.split(",")
        book[name][subject] = float(score)
    except ValueError as exc:
        errors.append(f"line {n}: {exc}")
print(*errors, sep="\n")
print(f"{'Name':<8}{'Mean':>6}  Grade")
for name, scores in sorted(book.items(), key=lambda item: mean(item[1].values()), reverse=True):
    avg = mean(scores.values())
    print(f"{name:<8}{avg:>6.1f}  {letter(avg)}" + ("  (incomplete)" if len(scores) < 2 else ""))
subjects = sorted({s for scores in book.values() for s in scores})
for s in subjects:
    values = [scores[s] for scores in book.values() if s in scores]
    print(f"{s}: mean {mean(values):.1f}, max {max(values):.0f} ({next(n for n, sc in book.items() if sc.get(s) == max(values))})")
