import math
import random

random.seed(3)
rows = [(float(a), float(b)) for a, b in visits[["dbp", "sbp"]].dropna().itertuples(index=False, name=None)]
mx = sum(x for x, _ in rows) / len(rows)
sx = math.sqrt(sum((x - mx) ** 2 for x, _ in rows) / len(rows))
data = [((x - mx) / sx, y) for x, y in rows]
w, b, rate = 0.0, 0.0, 0.1
for epoch in range(200):
    gw = gb = 0.0
    for x, y in data:
        error = w * x + b - y
        gw += error * x
        gb += error
    w -= rate * gw / len(data)
    b -= rate * gb / len(data)
    if epoch % 50 == 0:
        loss = sum((w * x + b - y) ** 2 for x, y in data) / len(data)
        print(f"{epoch:>4} {loss:>10.3f}")
print(round(w, 3), round(b, 3))
train = random.sample(data, k=int(0.8 * len(data)))
print(len(train))
