package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"hotcell/policies"
)

// outputs measures runs that leave 0, 1 and 100 files, each verified and kept with the
// record. No built-in policy allows a hundred: it is one of our own.
func (l *lab) outputs(ctx context.Context) (page, error) {
	state, err := l.state("outputs")
	if err != nil {
		return page{}, err
	}
	argv, err := l.withPolicy()
	if err != nil {
		return page{}, err
	}
	e, err := l.startEngine(ctx, state, append(argv, l.options.runner, "engine", "--engine", "oci", "--runtime", "crun")...)
	if err != nil {
		return page{}, err
	}
	var ways []*way
	for _, files := range []int{0, 1, 100} {
		s := script{name: strconv.Itoa(files), code: fmt.Sprintf("for n in range(%d):\n    (OUTPUT / f'{n}.txt').write_text(str(n))", files)}
		a := ask{script: s, policy: "bench-outputs"}
		if err := e.warmUp(ctx, a, makingTime); err != nil {
			return page{}, err
		}
		ways = append(ways, &way{name: "files", script: s.name, every: 1, once: func(ctx context.Context) (float64, error) {
			took, response, err := e.once(ctx, a)
			if got := len(response.Result.Files); err == nil && got != files {
				return 0, fmt.Errorf("%d files were released instead of %d", got, files)
			}
			return took, err
		}})
		ways[len(ways)-1].beside = ways[0]
	}
	progress("outputs in %d rounds", min(l.options.rounds, 100))
	if err := (turns{min(l.options.rounds, 100), l.options.within / 6, rest}).take(ctx, ways); err != nil {
		return page{}, err
	}
	t := table{name: "outputs", head: []string{"files", "ratio to none", "p50 ms", "p99 ms", "n"}}
	for _, w := range ways {
		t.add(w.script, times(w.ratio()), ms(w.took.p50()), ms(w.took.p99()), strconv.Itoa(len(w.took)))
	}
	return page{tables: []table{t}}, nil
}

// withPolicy is what starts a command that sees a policy of ours in /etc/hotcell: in a mount
// namespace of its own, so that nobody else does.
func (l *lab) withPolicy() ([]string, error) {
	text, err := policies.Files.ReadFile("study-analysis.yaml")
	if err != nil {
		return nil, err
	}
	ours := string(text)
	for old, changed := range map[string]string{"name: study-analysis\n": "name: bench-outputs\n", "output_files: 64\n": "output_files: 100\n"} {
		if !strings.Contains(ours, old) {
			return nil, fmt.Errorf("change the policy: it has no %q", old)
		}
		ours = strings.Replace(ours, old, changed, 1)
	}
	above := l.path("etc")
	dir := filepath.Join(above, "hotcell", "policies")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(dir, "bench-outputs.yaml"), []byte(ours), 0o644); err != nil {
		return nil, err
	}
	overlay := `mount -t overlay overlay -o "lowerdir=$0:/etc" /etc; exec "$@"`
	return []string{"unshare", "--mount", "--propagation", "private", "sh", "-euc", overlay, above}, nil
}
