package selftest_test

import (
	"flag"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/attacks"
	"hotcell/internal/selftest"
	"hotcell/internal/selftest/header"
)

var update = flag.Bool("update", false, "write attacks/index.txt anew")

const attacksDir = "../../attacks"

// TestIndexNamesEveryAttack fails when an attack is lost, and when one is added that
// the index lacks: so each shows in a review. With -update the index is written anew.
func TestIndexNamesEveryAttack(t *testing.T) {
	var index []string
	for _, file := range programs(t, os.DirFS(attacksDir)) {
		text, err := os.ReadFile(filepath.Join(attacksDir, file))
		require.NoError(t, err)
		attack, err := header.Parse(file, string(text))
		require.NoError(t, err)
		index = append(index, file+": "+attack.Title)
	}
	if *update {
		require.NoError(t, os.WriteFile(attacksDir+"/index.txt", []byte(strings.Join(index, "\n")+"\n"), 0o644))
	}
	written, err := os.ReadFile(attacksDir + "/index.txt")
	require.NoError(t, err)
	known := strings.Split(strings.TrimSuffix(string(written), "\n"), "\n")
	const remedy = "if this is meant: go test ./internal/selftest -run TestIndex -update"
	require.Empty(t, without(known, index), "lost or changed; "+remedy)
	require.Empty(t, without(index, known), "not in the index; "+remedy)
	require.Len(t, known, len(index), "a line stands twice; "+remedy)
}

func without(lines, others []string) []string {
	return slices.DeleteFunc(slices.Clone(lines), func(line string) bool { return slices.Contains(others, line) })
}

// What lies in a folder that nothing reads is lost too.
func TestEveryAttackThatLiesThereIsCarriedAndRead(t *testing.T) {
	carried := programs(t, attacks.Files)
	lying := slices.DeleteFunc(programs(t, os.DirFS(attacksDir)), func(file string) bool {
		isSequel, err := path.Match("sequels/*.py", file) // tests/security/guard reads these
		return isSequel && err == nil
	})
	require.Empty(t, without(lying, carried), "in no form that attacks.go embeds")

	read, names := map[string]bool{}, map[string]string{}
	add := func(file, name string) {
		require.Empty(t, names[name], "%s has the name of another attack, and --only cannot tell them apart", file)
		read[file], names[name] = true, file
	}
	builtIn, err := selftest.BuiltIn()
	require.NoError(t, err)
	for _, probe := range builtIn.Probes {
		add(path.Join("probes", probe.Name+".py"), probe.Name)
	}
	for _, attempt := range builtIn.Attempts {
		add(path.Join("attempts", attempt.Class, attempt.Name+".py"), attempt.Name)
	}
	for _, file := range carried {
		require.True(t, read[file], file)
	}
}

// programs lists every file below a folder of attacks, by path: what lies beside
// these folders is about them.
func programs(t *testing.T, fsys fs.FS) []string {
	t.Helper()
	var all []string
	require.NoError(t, fs.WalkDir(fsys, ".", func(file string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && path.Dir(file) != "." {
			all = append(all, file)
		}
		return err
	}))
	return all
}
