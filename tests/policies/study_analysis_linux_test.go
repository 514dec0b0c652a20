package policies_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/job"
)

func studyWorkspace(t *testing.T) *workspace {
	w := newWorkspace(t)
	w.write("data/visits.csv", "who,age,n\na,61,1\nb,45,2\na,70,4\n")
	w.write("data/labs.jsonl", "{\"who\": \"a\", \"value\": 1.5}\n{\"who\": \"b\", \"value\": null}\n")
	w.write("data/notes.txt", "No table.\n")
	w.bundle("study")
	return w
}

func TestStudyAnalysis(t *testing.T) {
	test(t, studyWorkspace(t), "study-analysis", map[string]feature{
		"tables are preloaded by name": {
			script: "print(len(visits), visits.n.sum(), len(labs), labs.value.isna().sum())",
			want:   answers("3 7 2 1\n"),
		},
		"a table is a DataFrame like any other": {
			script: "print(visits.query('age > 60').n.sum(), visits.groupby('who').n.sum().to_dict())",
			want:   answers("5 {'a': 5, 'b': 2}\n"),
		},
		"models are fitted by formula": {
			script: "import statsmodels.formula.api as smf\nprint(smf.ols('n ~ age', visits).fit().nobs)",
			want:   answers("3.0\n"),
		},
		"open reads the bundle": {
			script: "import pandas as pd\nprint(open(DATA / 'notes.txt').read().strip(), len(pd.read_csv(DATA / 'visits.csv')))",
			want:   answers("No table. 3\n"),
		},
		"open writes to OUTPUT only": {
			script: "(OUTPUT / 'a.txt').write_text('kept')\nwith open('b.csv', 'w') as f: f.write('a,b\\n')\nfor path in ('/etc/passwd', DATA / 'new.txt', '/proc/self/environ'):\n    try:\n        open(path, 'w' if str(path).startswith('/bundle') or path == DATA / 'new.txt' else 'r')\n    except (PermissionError, OSError) as error:\n        print('refused', type(error).__name__)",
			want: func(t *testing.T, got job.Result) {
				require.Equal(t, job.Succeeded, got.Status, describe(got))
				require.Equal(t, "refused PermissionError\nrefused PermissionError\nrefused PermissionError\n", got.Stdout)
				require.Len(t, got.Files, 2)
			},
		},
		"figures are collected, also those never saved": {
			script: "import matplotlib.pyplot as plt\nimport plotly.graph_objects as go\nplt.plot([1, 2])\nplt.figure(); plt.plot([3])\nfig = go.Figure(go.Bar(y=[1]))",
			want: func(t *testing.T, got job.Result) {
				require.Equal(t, job.Succeeded, got.Status, describe(got))
				require.Len(t, got.Charts, 3)
				require.Len(t, got.Files, 2)
				require.Equal(t, "figure", got.Files[0].Role)
			},
		},
		"twenty figures are the most": {
			script: "import matplotlib.pyplot as plt\nfor n in range(21):\n    plt.figure()",
			want: func(t *testing.T, got job.Result) {
				require.Equal(t, job.Succeeded, got.Status, describe(got))
				require.Len(t, got.Charts, 20)
				require.Len(t, got.Warnings, 1)
				require.Contains(t, got.Warnings[0].Message, "the first 20 of 21 figures were kept")
			},
		},
		"endings in capital letters": {
			script: "import matplotlib.pyplot as plt\nplt.plot([1])\nplt.savefig('A.PNG')\nopen('B.CSV', 'w').write('a')",
			want: func(t *testing.T, got job.Result) {
				require.Equal(t, job.Succeeded, got.Status, describe(got))
				require.Len(t, got.Files, 2)
				require.Empty(t, got.Stderr)
			},
		},
		"a page of plotly's is a chart": {
			script: "import plotly.express as px\npx.bar(x=['a'], y=[1]).write_html(OUTPUT / 'a.html')\nopen('b.csv', 'w').write('a')",
			want: func(t *testing.T, got job.Result) {
				require.Equal(t, job.Succeeded, got.Status, describe(got))
				require.Len(t, got.Files, 1)
				require.Len(t, got.Charts, 1)
				require.Contains(t, got.Stderr, "'a.html' was not written")
			},
		},
		"a byte order mark": {script: "\ufeffprint(1)", want: answers("1\n")},
		"stdout is cut at 200,000 bytes": {
			script: "print('x' * 300000)",
			want: func(t *testing.T, got job.Result) {
				require.Equal(t, job.Succeeded, got.Status, describe(got))
				require.Len(t, got.Stdout, 200_000)
				require.True(t, got.Truncated.Stdout)
			},
		},
		"sixty-four files are the most": {
			script: "for n in range(100):\n    (OUTPUT / f'{n}.txt').write_text('x')",
			want:   stopped(job.LimitExceeded, job.LimitOutputFiles),
		},
		"memory ends at 512 MB": {
			script: "x = [bytearray(1 << 20) for _ in range(1000)]",
			want:   stopped(job.OutOfMemory, job.LimitMemory),
		},
		"the environment is not within reach": {script: "import os\nprint(dict(os.environ), os.getenv('PATH', 'none'))", want: answers("{} none\n")},
		"what a shell's script reaches for": {
			script: "import glob, inspect, os, shutil, sys, tempfile\nos.makedirs(os.path.join(OUTPUT, 'tables'), exist_ok=True)\n" +
				"with tempfile.NamedTemporaryFile('w', suffix='.csv', delete=False) as file:\n    file.write('a,b\\n1,2\\n')\n" +
				"shutil.move(file.name, 'tables/t.csv')\nprint(glob.glob('**/*.csv', recursive=True), inspect.signature(lambda x: x), sys.argv, 'glob' in globals())\nsys.exit(0)",
			want: answers("['tables/t.csv'] (x) ['script.py'] True\n"),
		},
		"other programs are not within reach": {script: "import os\nos.system('id')", want: refusedBy("attribute.denied", "no other program")},
		"the packages of an analyst": {
			script: "import io, csv, copy, contextlib, logging, pathlib, os.path\nimport patsy\nfrom pandas.tseries.offsets import MonthEnd\nfrom pandas.api.types import is_numeric_dtype\n" +
				"import scipy.signal, scipy.cluster.hierarchy\nfrom statsmodels.stats.multitest import multipletests\nfrom statsmodels.tsa.arima.model import ARIMA\nfrom matplotlib.backends.backend_pdf import PdfPages\nprint('all there')",
			want: answers("all there\n"),
		},
	}, "--bundle", "study")
}

func TestStudyAnalysisNamesATableThatItCannotLoad(t *testing.T) {
	w := newWorkspace(t)
	w.write("data/scan.parquet", "PAR1PAR1")
	w.succeeds("bundle", "create", "data", "--name", "study", "--version", "1", "--study", "S",
		"--method", "synthetic", "--attested-by", "A", "--statement", "Made up.", "--as-is", "scan.parquet")
	manifest, err := os.ReadFile(w.path("data/bundle.json"))
	require.NoError(t, err)
	named := strings.Replace(string(manifest), `"path": "scan.parquet",`, `"path": "scan.parquet", "table": "scan",`, 1)
	require.NotEqual(t, string(manifest), named)
	w.write("data/bundle.json", named)
	w.add()
	w.write("script.py", "print(1)")
	e := w.command("", "run", "--engine", "oci", "--policy", "study-analysis", "--bundle", "study", "script.py")
	require.Equal(t, job.ExitUsage, e.code, e.stderr)
	require.Contains(t, e.stderr, "scan")
	require.Contains(t, e.stderr, "arquet")
}

func TestStudyAnalysisKeepsTheCode(t *testing.T) {
	w := studyWorkspace(t)
	for script, want := range map[string]int{"print(1)": 1, "1 / 0": 1} {
		got := w.run("study-analysis", script, "--bundle", "study")
		saved, err := filepath.Glob(w.path("state/runs/" + got.RunID.String() + "/run_*_*.py"))
		require.NoError(t, err)
		require.Len(t, saved, want, script)
		if script == "print(1)" {
			text, err := os.ReadFile(saved[0])
			require.NoError(t, err)
			require.Contains(t, string(text), "visits")
			require.Contains(t, string(text), "labs")
			require.Contains(t, string(text), "\nprint(1)")
		}
	}
}
