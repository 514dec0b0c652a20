package output_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/output"
)

// unfit are files whose content cannot leave, each with what its message tells to do.
func unfit() map[string][2]string {
	return map[string][2]string{
		"deep/er/nan.json": {`{"x": NaN}`, "write null"},
		"latin.txt":        {"Gr\xfc\xdfe", `encoding="utf-8"`},
		"latin.csv":        {"Gr\xfc\xdfe\n", `encoding="utf-8"`},
		"tag.txt":          {"<a>", "text/html"},
		"bell.log":         {"a\x7fb", "leave it out"},
		"zero.txt":         {"a\x00", "leave them out"},
		"formula.csv":      {"=1+1\n", "a letter or a digit"},
		"page.html":        {"<script>1</script>", "script"},
		"cut.png":          {"\x89PNG\r\n\x1a\n", "PNG"},
	}
}

func TestContentThatCannotLeaveStaysBehind(t *testing.T) {
	s := newScene(t)
	s.rules.DropUnaccepted = true
	s.put(t, "a.csv", "x,y\n1,2\n")
	s.put(t, "deep/z.json", `{"x": null}`)
	for name, file := range unfit() {
		s.put(t, name, file[0])
	}
	verified := s.accept(t)
	require.Len(t, verified.Files(), 2)
	require.Len(t, verified.Dropped(), len(unfit()))
	for _, one := range verified.Dropped() {
		require.Equal(t, output.RuleDropped, one.Rule)
		require.Contains(t, one.Message, unfit()[one.Path][1])
	}
	staged := map[string]string{"a.csv": "x,y\n1,2\n", "deep": "/", "deep/z.json": `{"x": null}`}
	require.Equal(t, staged, tree(t, s.staging), "what stays behind is not kept with what leaves")
	out := filepath.Join(t.TempDir(), "out")
	require.NoError(t, verified.Export(t.Context(), out))
	require.Equal(t, staged, tree(t, out))
}

// Without the rule all of them are named, each once.
func TestContentThatCannotLeaveIsAViolationEach(t *testing.T) {
	s := newScene(t)
	s.put(t, "a.csv", "x\n")
	for name, file := range unfit() {
		s.put(t, name, file[0])
	}
	found := s.refuse(t)
	require.Len(t, found, len(unfit()))
	for _, one := range found {
		require.Contains(t, one.Message, unfit()[one.Path][1])
	}
}

// A file that stays behind excuses nothing that is wrong with the whole, or with what the
// guard said.
func TestContentThatStaysBehindExcusesNothing(t *testing.T) {
	for name, attack := range map[string]struct {
		leave func(t *testing.T, s *scene)
		rule  string
	}{
		"a link": {func(t *testing.T, s *scene) { require.NoError(t, os.Symlink("nan.json", s.path("b.json"))) }, output.RuleSymlink},
		"a second name": {func(t *testing.T, s *scene) {
			s.put(t, "b.json", "NaN")
			require.NoError(t, os.Link(s.path("b.json"), s.path("c.json")))
			s.declare("c.json", "NaN")
		}, output.RuleHardLink},
		"other content than was said": {func(t *testing.T, s *scene) {
			s.declare("b.json", "NaN")
			s.write(t, "b.json", "nan")
		}, output.RuleHashMismatch},
		"a figure": {func(t *testing.T, s *scene) {
			s.put(t, "b.png", "x")
			s.manifest[len(s.manifest)-1].Role = output.RoleFigure
		}, output.RuleMediaType},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScene(t)
			s.rules.DropUnaccepted = true
			s.put(t, "a.csv", "x\n")
			s.put(t, "nan.json", "NaN")
			attack.leave(t, s)
			require.Contains(t, rulesOf(s.refuse(t)), attack.rule)
		})
	}
}

func TestADirectoryThatIsTooDeepIsToldOnce(t *testing.T) {
	s := newScene(t)
	s.put(t, "a/b/c/d/e.csv", "x")
	s.put(t, "a/b/c/d/f.csv", "x")
	require.Equal(t, []string{output.RuleTooDeep}, rulesOf(s.refuse(t)))
}
