package policies_test

import (
	"testing"

	"hotcell/internal/job"
)

func TestInterpreter(t *testing.T) {
	w := newWorkspace(t)
	w.write("inputs.json", `{"x": 2, "names": ["a", "b"], "visits": {"columns": ["n"], "rows": [[3], [5]]}}`)
	w.write("schema.json", `{"properties": {"city": {"type": "string"}, "days": {"type": "integer"}}, "required": ["city"], "additionalProperties": false}`)
	tool := []string{"--inputs", "inputs.json", "--tool", "weather=/bin/cat", "--tool-schema", "weather=schema.json"}
	test(t, w, "interpreter", map[string]feature{
		"inputs are variables":                           {script: "[x + 1, names[1], visits['rows'][1][0]]", flags: tool, want: answers("[3,\"b\",5]")},
		"a tool is a function":                           {script: "[weather('Bonn')['city'], weather(city='Ulm', days=x)]", flags: tool, want: answers(`["Bonn",{"city":"Ulm","days":2}]`)},
		"a tool that refuses raises ToolError":           {script: "try:\n    weather(town='Bonn')\nexcept ToolError:\n    y = 'refused'", flags: tool, want: answers("refused")},
		"final_answer ends the run":                      {script: "def f():\n    for i in range(9):\n        try:\n            final_answer(i)\n        except Exception:\n            pass\nf()\n5", want: answers("0")},
		"functions are there without an import":          {script: "round(sqrt(16) + sin(0) + log(1) + floor(2.5) + atan2(0, 1))", want: answers("6")},
		"the value of the last assignment":               {script: "x = 5", want: answers("5")},
		"the value of the last statement of a branch":    {script: "if 1 > 2:\n    x = 1\nelse:\n    x = 2", want: answers("2")},
		"a variable called result hides nothing":         {script: "result = 1\n2", want: answers("2")},
		"an exit without a code succeeds":                {script: "print('x')\nexit()", want: answers("")},
		"an exit with a code fails":                      {script: "raise SystemExit(3)", want: raises("SystemExit", "3")},
		"a request narrows the imports":                  {script: "import statistics", flags: []string{"--import", "math", "--import", "json"}, want: refusedBy("import.denied", "statistics")},
		"what a request keeps of the imports":            {script: "import math\nsqrt(math.pi) > 1", flags: []string{"--import", "math"}, want: answers("true")},
		"the value of the last expression is the answer": {script: "x = 6\nx * 7", want: answers("42")},
		"a value that is text is the answer as it is":    {script: "'-'.join(['a', 'b'])", want: answers("a-b")},
		"an object is its repr":                          {script: "class A:\n    def __repr__(self):\n        return 'A()'\nA()", want: answers(`{"type":"A","text":"A()"}`)},
		"a star import":                                  {script: "from math import *\nfloor(2.5)", want: answers("2")},
		"modules of smolagents' own list":                {script: "import collections, datetime, itertools, math, queue, random, re, stat, statistics, time, unicodedata\nstat.S_ISREG(0o100644)", want: answers("true")},
		"a tool's name stays":                            {script: "weather = weather('Bonn')", flags: tool, want: refusedBy("name.reserved", "weather")},
		"a submodule without its package":                {script: "import os.path\nos.path.join('a', 'b')", want: answers("a/b")},
		"the package itself is not there":                {script: "import os", want: refusedBy("import.denied", "os")},
		"nothing of the package but its submodule": {
			script: "import os.path\ntry:\n    os.getcwd()\nexcept AttributeError as error:\n    result = 'pruned'",
			want:   answers("pruned"),
		},
		"modules are pruned copies: private names": {script: "import random\nrandom._os", want: refusedBy("attribute.denied", "_os")},
		"modules are pruned copies: other modules": {
			script: "import statistics, queue, re, json, dataclasses\nfound = [m + '.' + n for m, view in [('statistics', statistics), ('queue', queue), ('re', re), ('json', json), ('dataclasses', dataclasses)] for n in dir(view) if type(getattr(view, n)).__name__ == 'module']\nfound",
			want:   answers("[]"),
		},
		"dangerous functions are refused when reached through a module": {script: "import queue\nqueue.threading", want: raises("AttributeError", "threading")},
		"eval is refused": {script: "eval('1')", want: refusedBy("builtin.denied", "eval")},
		"a name in a string is refused too": {
			script: "import random\ntry:\n    getattr(random, '_' + 'os')\nexcept AttributeError as error:\n    result = 'refused'",
			want:   answers("refused"),
		},
		"a name that stays is not global either": {script: "def f():\n    global weather\n    weather = 2", flags: tool, want: refusedBy("name.reserved", "weather")},
		"loop iterations are counted": {
			script: "while True:\n    pass",
			want:   stopped(job.LimitExceeded, job.LimitIterations),
		},
		"operations are counted": {
			script: "def f(n):\n    return n if n < 2 else f(n - 1) + f(n - 2)\nf(60)",
			want:   stopped(job.LimitExceeded, job.LimitOperations),
		},
		"a request can set a smaller budget": {
			script: "for n in range(1000):\n    pass",
			flags:  []string{"--loop-iterations", "100"},
			want:   stopped(job.LimitExceeded, job.LimitIterations),
		},
		"what stays within the budgets runs": {script: "total = 0\nfor n in range(100000):\n    total += n\ntotal", want: answers("4999950000")},
		"a vectorised computation is not counted by its elements": {
			script: "import numpy as np\nint(np.arange(5_000_000).sum())",
			want:   answers("12499997500000"),
		},
	})
}
