from collections import namedtuple

Step = namedtuple("Step", "time at_risk died survival")

def kaplan_meier(times, died):
    pairs = sorted(zip(times, died))
    at_risk, survival, steps = len(pairs), 1.0, []
    i = 0
    while i < len(pairs):
        time = pairs[i][0]
        block = [d for t, d in pairs[i:] if t == time]
        deaths = sum(block)
        if deaths:
            survival *= 1 - deaths / at_risk
            steps.append(Step(time, at_risk, deaths, survival))
        at_risk -= len(block)
        i += len(block)
    return steps

steps = kaplan_meier(events["time_days"].tolist(), events["event"].tolist())
for step in steps[:5]:
    print("%6.0f %5d %3d %.4f" % step)
print(steps[-1]._asdict())
print(steps[0]._replace(time=0), Step._fields)
