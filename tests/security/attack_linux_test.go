// Package security_test attacks the sandbox with the guard off, on every engine,
// and proves that each attack works where nothing holds it.
package security_test

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/container"
)

//go:embed container/*.py
var sources embed.FS

const preludeFile = "prelude.py"

// attack is one program of container/*.py. Its doc string says what it does; the
// lines after that are for this driver.
type attack struct {
	name   string
	source string
	// threats are ids of docs/threat-model.md and CVE numbers.
	threats []string
	// seccompOnly says that nothing but the seccomp profile holds it.
	seccompOnly bool
	// unproven says why it cannot be shown to work on every host; "" when it can.
	unproven string
}

// attacks reads the corpus and refuses one that does not say what it is for.
func attacks(t *testing.T) []attack {
	t.Helper()
	prelude, err := sources.ReadFile("container/" + preludeFile)
	require.NoError(t, err)
	paths, err := fs.Glob(sources, "container/*.py")
	require.NoError(t, err)
	var corpus []attack
	for _, file := range paths {
		if path.Base(file) == preludeFile {
			continue
		}
		source, err := sources.ReadFile(file)
		require.NoError(t, err)
		a := attack{name: strings.TrimSuffix(path.Base(file), ".py"), source: string(prelude) + string(source)}
		require.NoError(t, a.readHeader(string(source)), file)
		corpus = append(corpus, a)
	}
	require.NotEmpty(t, corpus)
	return corpus
}

func (a *attack) readHeader(source string) error {
	parts := strings.SplitN(source, `"""`, 3)
	if len(parts) != 3 || parts[0] != "" {
		return fmt.Errorf("attack %s has no doc string", a.name)
	}
	for _, line := range strings.Split(parts[1], "\n")[1:] {
		key, value, _ := strings.Cut(line, ": ")
		switch key {
		case "":
		case "Threats":
			a.threats = strings.Fields(value)
		case "Held by":
			a.seccompOnly = value == "seccomp alone"
		case "Unproven":
			a.unproven = value
		default:
			return fmt.Errorf("attack %s: unknown line %q in its doc string", a.name, line)
		}
	}
	if len(a.threats) == 0 {
		return fmt.Errorf("attack %s names no threat", a.name)
	}
	return nil
}

func (a attack) command(bait bait) []string {
	encoded, err := json.Marshal(bait)
	if err != nil {
		panic(err) // bait has no field that JSON cannot hold
	}
	return []string{"/usr/bin/python3", "-sBP", "-c", a.source, a.name, string(encoded)}
}

// verdict is what became of an attack.
type verdict string

const (
	escaped   verdict = "escaped"
	held      verdict = "held"      // refused, or nothing to find
	killed    verdict = "killed"    // by seccomp
	defective verdict = "defective" // neither: the attack itself is broken
)

// judge reads what the attack printed, and how it ended. Silence proves nothing.
func (a attack) judge(stdout string, exit container.Exit) verdict {
	switch {
	case strings.Contains(stdout, "ESCAPED:"+a.name):
		return escaped
	case exit.Signal == "SIGSYS" && !exit.KilledByUs:
		return killed
	case strings.HasPrefix(stdout, "HELD:"+a.name+":") && exit.Code == 0:
		return held
	default:
		return defective
	}
}
