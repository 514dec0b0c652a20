# Inputs are in context (inputs, config, steps), tools of the policy in context.tools.call(NAME, {...}).
# The answer is result, a value of JSON. Functions are called in a session as they are defined.
import json
import statistics

values = [3, 1, 2]
print(json.dumps(values))
result = {"mean": statistics.mean(values), "largest": max(values)}
