package output_test

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"hotcell/internal/digest"
	"hotcell/internal/job"
	"hotcell/internal/output"
)

func TestVerifyAcceptsWhatTheManifestSays(t *testing.T) {
	s := newScene(t)
	s.put(t, "tables/age.csv", "age,n\n40,12\n")
	s.put(t, "empty.txt", "")
	s.put(t, "result.json", `{"n": 12}`)
	require.NoError(t, os.Mkdir(s.path("nothing in it"), 0o755))
	verified := s.accept(t)
	require.Equal(t, []job.File{
		{Path: "empty.txt", Bytes: 0, SHA256: s.manifest[1].SHA256, MediaType: "text/plain", Role: "file"},
		{Path: "result.json", Bytes: 9, SHA256: s.manifest[2].SHA256, MediaType: "application/json", Role: "file"},
		{Path: "tables/age.csv", Bytes: 12, SHA256: s.manifest[0].SHA256, MediaType: "text/csv", Role: "file"},
	}, verified.Files())
	require.Equal(t, map[string]string{
		"tables": "/", "tables/age.csv": "age,n\n40,12\n", "empty.txt": "", "result.json": `{"n": 12}`,
	}, tree(t, s.staging))
}

func TestVerifyAcceptsNoOutputAtAll(t *testing.T) {
	require.Equal(t, []job.File{}, newScene(t).accept(t).Files())
}

// TestVerifyRefuses is the table of attacks: each leaves one honest file beside
// the hostile entry, and wants exactly these rules.
func TestVerifyRefuses(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "secret.csv")
	require.NoError(t, os.WriteFile(secret, []byte("secret\n"), 0o644))
	link := func(target, name string) func(*testing.T, *scene) {
		return func(t *testing.T, s *scene) {
			s.declare(name, "secret\n")
			require.NoError(t, os.Symlink(target, s.path(name)))
		}
	}
	for name, test := range map[string]struct {
		attack func(t *testing.T, s *scene)
		rules  []string
	}{
		"a symlink to a secret":    {link(secret, "a.csv"), []string{output.RuleSymlink}},
		"a symlink within":         {link("honest.csv", "a.csv"), []string{output.RuleSymlink}},
		"a symlink to itself":      {link("a.csv", "a.csv"), []string{output.RuleSymlink}},
		"a symlink through /proc":  {link("/proc/self/root"+secret, "a.csv"), []string{output.RuleSymlink}},
		"a symlink to descriptors": {link("/proc/self/fd/0", "a.csv"), []string{output.RuleSymlink}},
		"a dangling symlink":       {link("nowhere", "a.csv"), []string{output.RuleSymlink}},
		"a symlink with a slash":   {link(secret+"/", "a.csv"), []string{output.RuleSymlink}},
		"a symlink in the middle of a path": {func(t *testing.T, s *scene) {
			s.declare("dir/secret.csv", "secret\n")
			require.NoError(t, os.Symlink(filepath.Dir(secret), s.path("dir")))
		}, []string{output.RuleSymlink, output.RuleMissing}},
		"a chain of symlinks": {func(t *testing.T, s *scene) {
			require.NoError(t, os.Symlink("b.csv", s.path("a.csv")))
			require.NoError(t, os.Symlink(secret, s.path("b.csv")))
		}, []string{output.RuleSymlink, output.RuleSymlink}},
		"an undeclared symlink": {func(t *testing.T, s *scene) {
			require.NoError(t, os.Symlink(secret, s.path("a.csv")))
		}, []string{output.RuleSymlink}},
		"a hard link to a secret": {func(t *testing.T, s *scene) {
			s.declare("a.csv", "secret\n")
			outside := filepath.Join(filepath.Dir(s.dir), "outside.csv")
			require.NoError(t, os.WriteFile(outside, []byte("secret\n"), 0o644))
			require.NoError(t, os.Link(outside, s.path("a.csv")))
		}, []string{output.RuleHardLink}},
		"a hard link within": {func(t *testing.T, s *scene) {
			s.put(t, "a.csv", "x\n")
			s.declare("b.csv", "x\n")
			require.NoError(t, os.Link(s.path("a.csv"), s.path("b.csv")))
		}, []string{output.RuleHardLink, output.RuleHardLink}},
		"a named pipe": {func(t *testing.T, s *scene) {
			s.declare("a.csv", "x")
			require.NoError(t, unix.Mkfifo(s.path("a.csv"), 0o666))
		}, []string{output.RuleSpecialFile}},
		"a socket": {func(t *testing.T, s *scene) {
			socket, err := net.Listen("unix", s.path("a.csv"))
			require.NoError(t, err)
			t.Cleanup(func() { socket.Close() })
		}, []string{output.RuleSpecialFile}},
		"a setuid file": {func(t *testing.T, s *scene) {
			s.put(t, "a.csv", "x")
			require.NoError(t, os.Chmod(s.path("a.csv"), 0o755|os.ModeSetuid))
		}, []string{output.RuleMode}},
		"a setgid file": {func(t *testing.T, s *scene) {
			s.put(t, "a.csv", "x")
			require.NoError(t, os.Chmod(s.path("a.csv"), 0o755|os.ModeSetgid))
		}, []string{output.RuleMode}},
		"a sticky directory": {func(t *testing.T, s *scene) {
			require.NoError(t, os.Mkdir(s.path("dir"), 0o755))
			require.NoError(t, os.Chmod(s.path("dir"), 0o755|os.ModeSticky))
		}, []string{output.RuleMode}},
		"an undeclared file": {func(t *testing.T, s *scene) { s.write(t, "a.csv", "x") }, []string{output.RuleUndeclared}},
		"a missing file":     {func(t *testing.T, s *scene) { s.declare("a.csv", "x") }, []string{output.RuleMissing}},
		"a directory for a file": {func(t *testing.T, s *scene) {
			s.declare("a.csv", "x")
			require.NoError(t, os.Mkdir(s.path("a.csv"), 0o755))
		}, []string{output.RuleMissing}},
		"a file named twice": {func(t *testing.T, s *scene) {
			s.put(t, "a.csv", "x")
			s.declare("a.csv", "x")
		}, []string{output.RuleDuplicate}},
		"a file that is shorter": {func(t *testing.T, s *scene) {
			s.declare("a.csv", "xyz")
			s.write(t, "a.csv", "xy")
		}, []string{output.RuleSizeMismatch}},
		"a file that is longer": {func(t *testing.T, s *scene) {
			s.declare("a.csv", "xyz")
			s.write(t, "a.csv", "xyzz")
		}, []string{output.RuleSizeMismatch}},
		"a file of other content": {func(t *testing.T, s *scene) {
			s.declare("a.csv", "xyz")
			s.write(t, "a.csv", "xyy")
		}, []string{output.RuleHashMismatch}},
		"a sparse file of a terabyte": {func(t *testing.T, s *scene) {
			s.put(t, "a.csv", "")
			s.manifest[len(s.manifest)-1].Bytes = 1 << 40
			require.NoError(t, os.Truncate(s.path("a.csv"), 1<<40))
		}, []string{output.RuleTooLarge}},
		"more bytes than may leave": {func(t *testing.T, s *scene) {
			s.put(t, "a.txt", strings.Repeat("x", 600<<10))
			s.put(t, "b.txt", strings.Repeat("x", 600<<10))
		}, []string{output.RuleTooLarge}},
		"more files than may leave": {func(t *testing.T, s *scene) {
			for i := range 60 {
				s.write(t, fmt.Sprint(i, ".csv"), "")
			}
		}, []string{output.RuleTooManyFiles}},
		"more directories than may leave": {func(t *testing.T, s *scene) {
			for i := range 60 {
				require.NoError(t, os.Mkdir(s.path(strconv.Itoa(i)), 0o755))
			}
		}, []string{output.RuleTooManyFiles}},
		"a manifest that is too long": {func(_ *testing.T, s *scene) {
			for i := range 60 {
				s.declare(fmt.Sprint(i, ".csv"), "")
			}
		}, []string{output.RuleTooManyFiles}},
		"a path that is too deep": {func(t *testing.T, s *scene) {
			s.put(t, "a/b/c/d/e.csv", "x")
		}, []string{output.RuleTooDeep}},
		"a negative size": {func(t *testing.T, s *scene) {
			s.put(t, "a.csv", "")
			s.manifest[len(s.manifest)-1].Bytes = -1
		}, []string{output.RuleManifest}},
		"a hash in capitals": {func(t *testing.T, s *scene) {
			s.put(t, "a.csv", "")
			s.manifest[len(s.manifest)-1].SHA256 = digest.Hex(strings.ToUpper(string(s.manifest[len(s.manifest)-1].SHA256)))
		}, []string{output.RuleManifest}},
		"a role of its own": {func(t *testing.T, s *scene) {
			s.put(t, "a.csv", "")
			s.manifest[len(s.manifest)-1].Role = "released"
		}, []string{output.RuleManifest}},
		"a way out in the manifest":        {func(_ *testing.T, s *scene) { s.declare("../a.csv", "x") }, []string{output.RulePath}},
		"an absolute path in the manifest": {func(_ *testing.T, s *scene) { s.declare(secret, "secret\n") }, []string{output.RulePath}},
		"an unclean path in the manifest":  {func(_ *testing.T, s *scene) { s.declare("./honest.csv", "x") }, []string{output.RulePath}},
		"a NUL in the manifest":            {func(_ *testing.T, s *scene) { s.declare("honest.csv\x00.csv", "x") }, []string{output.RulePath}},
		"a newline in a name": {func(t *testing.T, s *scene) {
			s.put(t, "a\nb.csv", "x")
		}, []string{output.RulePath}}, // told once, for manifest and directory
		"a name that is not UTF-8":    {func(t *testing.T, s *scene) { s.write(t, "a\xff.csv", "x") }, []string{output.RulePath}},
		"a bidirectional override":    {func(t *testing.T, s *scene) { s.write(t, "a\u202evsc.csv", "x") }, []string{output.RulePath}},
		"a name that is an option":    {func(t *testing.T, s *scene) { s.write(t, "-rf.csv", "x") }, []string{output.RulePath}},
		"a hidden file":               {func(t *testing.T, s *scene) { s.write(t, ".bashrc", "x") }, []string{output.RulePath}},
		"a directory with a bad name": {func(t *testing.T, s *scene) { s.write(t, "a\x1b/b.csv", "x") }, []string{output.RulePath, output.RuleUndeclared}},
		"names that differ in case": {func(t *testing.T, s *scene) {
			s.put(t, "a.csv", "x")
			s.put(t, "A.csv", "x")
		}, []string{output.RuleClash, output.RuleClash}},
		"names that differ in Unicode form": {func(t *testing.T, s *scene) {
			s.put(t, "ö.csv", "x")
			s.write(t, "o\u0308.csv", "x")
		}, []string{output.RulePath, output.RuleClash}},
		"directories that differ in case": {func(t *testing.T, s *scene) {
			s.put(t, "Dir/a.csv", "x")
			s.put(t, "dir/b.csv", "x")
		}, []string{output.RuleClash, output.RuleClash}},
		"an archive": {func(t *testing.T, s *scene) { s.put(t, "a.npz", "PK\x03\x04") }, []string{output.RuleMediaType}},
		"a pickle":   {func(t *testing.T, s *scene) { s.put(t, "a.pkl", "\x80\x04.") }, []string{output.RuleMediaType}},
		"no ending":  {func(t *testing.T, s *scene) { s.put(t, "a", "x") }, []string{output.RuleMediaType}},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScene(t)
			s.put(t, "honest.csv", "x\n")
			test.attack(t, s)
			found := s.refuse(t)
			require.ElementsMatch(t, test.rules, rulesOf(found), "%v", found)
			told := map[string]bool{}
			for _, violation := range found {
				require.NotEmpty(t, violation.Message)
				require.NotContains(t, violation.Message, "manifest", "a user knows no manifest")
				require.False(t, violation.Path != "" && told[violation.Path], "told twice of %s", violation.Path)
				told[violation.Path] = true
				requirePrintable(t, violation.Path+violation.Message)
			}
		})
	}
}

func requirePrintable(t testing.TB, text string) {
	t.Helper()
	require.True(t, utf8.ValidString(text))
	require.False(t, strings.ContainsAny(text, "\n\r\x1b\x00\u202e"), "%q", text)
	require.Less(t, len(text), 1000)
}

func TestVerifyRefusesDevices(t *testing.T) {
	needRoot(t)
	s := newScene(t)
	s.declare("zero.csv", "x")
	require.NoError(t, unix.Mknod(s.path("zero.csv"), unix.S_IFCHR|0o666, int(unix.Mkdev(1, 5))))
	require.NoError(t, unix.Mknod(s.path("disk.csv"), unix.S_IFBLK|0o666, int(unix.Mkdev(7, 0))))
	require.ElementsMatch(t, []string{output.RuleSpecialFile, output.RuleSpecialFile}, rulesOf(s.refuse(t)))
}

func TestVerifyAllowsOnlyListedMediaTypes(t *testing.T) {
	s := newScene(t)
	s.rules.MediaTypes = []string{"text/plain"}
	s.put(t, "a.csv", "x")
	found := s.refuse(t)
	require.Equal(t, []string{output.RuleMediaType}, rulesOf(found))
	require.Contains(t, found[0].Message, ".txt")
}

func TestVerifyBoundsItsReport(t *testing.T) {
	s := newScene(t)
	s.rules.MaxFiles = 1000
	for i := range 300 {
		s.write(t, fmt.Sprint(i, strings.Repeat("\u202e", 60)), "")
	}
	found := s.refuse(t)
	require.Len(t, found, 101)
	require.Equal(t, output.RuleMore, found[100].Rule)
}

func TestRulesMustBeComplete(t *testing.T) {
	whole := newScene(t).rules
	require.NoError(t, whole.Validate())
	for name, change := range map[string]func(*output.Rules){
		"no media types":        func(r *output.Rules) { r.MediaTypes = nil },
		"an unknown media type": func(r *output.Rules) { r.MediaTypes = []string{"*/*"} },
		"an archive":            func(r *output.Rules) { r.MediaTypes = []string{"application/zip"} },
		"no files":              func(r *output.Rules) { r.MaxFiles = 0 },
		"no bytes":              func(r *output.Rules) { r.MaxBytes = 0 },
		"no depth":              func(r *output.Rules) { r.MaxDepth = 0 },
	} {
		t.Run(name, func(t *testing.T) {
			s := newScene(t)
			change(&s.rules)
			verified, found, err := s.verify(t)
			require.Error(t, err)
			require.Nil(t, verified)
			require.Nil(t, found)
		})
	}
}

func TestStagingMustBePrivateAndEmpty(t *testing.T) {
	for name, spoil := range map[string]func(t *testing.T, s *scene){
		"others may enter": func(t *testing.T, s *scene) { require.NoError(t, os.Chmod(s.staging, 0o701)) },
		"it holds a file":  func(t *testing.T, s *scene) { require.NoError(t, os.WriteFile(s.staging+"/x", nil, 0o600)) },
		"it is absent":     func(_ *testing.T, s *scene) { s.staging += "/absent" },
		"it is a link": func(t *testing.T, s *scene) {
			require.NoError(t, os.Symlink(s.staging, s.staging+"-link"))
			s.staging += "-link"
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScene(t)
			spoil(t, s)
			_, _, err := s.verify(t)
			require.ErrorContains(t, err, "staging")
		})
	}
}

// TestVerifyNeverReleasesASecretThatIsSwappedIn lets a process that should be
// dead fight the verification: what is released must be what was declared.
func TestVerifyNeverReleasesASecretThatIsSwappedIn(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "secret.csv")
	require.NoError(t, os.WriteFile(secret, []byte("SECRET\n"), 0o644))
	s := newScene(t)
	s.put(t, "a.csv", "honest\n")
	stop := make(chan struct{})
	var attacker sync.WaitGroup
	attacker.Go(func() {
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
			}
			switch i % 3 {
			case 0:
				os.Symlink(secret, s.path("tmp"))
			case 1:
				os.Link(secret, s.path("tmp"))
			case 2:
				os.WriteFile(s.path("tmp"), []byte("honest\n"), 0o644)
			}
			os.Rename(s.path("tmp"), s.path("a.csv"))
		}
	})
	accepted := 0
	for range 300 {
		verified, _, err := s.verify(t)
		require.NoError(t, err)
		if verified == nil {
			require.Empty(t, tree(t, s.staging))
			continue
		}
		accepted++
		require.Equal(t, map[string]string{"a.csv": "honest\n"}, tree(t, s.staging))
		require.NoError(t, verified.Close())
		require.NoError(t, os.Remove(filepath.Join(s.staging, "a.csv")))
	}
	close(stop)
	attacker.Wait()
	t.Logf("%d of 300 were accepted", accepted)
}

func TestVerifyStopsWithItsContextAndLeavesNothing(t *testing.T) {
	s := newScene(t)
	s.put(t, "a.csv", "x")
	s.put(t, "b.csv", "x")
	root, err := os.OpenRoot(s.dir)
	require.NoError(t, err)
	defer root.Close()
	ctx, cancel := contextEndingAt(t, 3)
	defer cancel()
	_, _, err = output.Verify(ctx, output.Options{Dir: root, Manifest: s.manifest, Rules: s.rules, Staging: s.staging})
	require.ErrorIs(t, err, errEnough)
	require.Empty(t, tree(t, s.staging))
}

func FuzzVerify(f *testing.F) {
	f.Add("a.csv", "a.csv", "x,y\n", int64(4), "file", true)
	f.Add("../a.csv", "a.csv", "x", int64(1), "file", true)
	f.Add("a.svg", "a.svg", `<svg xmlns="http://www.w3.org/2000/svg" onload="x()"/>`, int64(54), "figure", true)
	f.Add("a.html", "b.html", "<script>", int64(-1), "", false)
	f.Add("d/\u202e.json", "d/\u202e.json", "{}", int64(2), "file", true)
	f.Fuzz(func(t *testing.T, declared, actual, content string, size int64, role string, honest bool) {
		s := newScene(t)
		root, err := os.OpenRoot(s.dir)
		require.NoError(t, err)
		defer root.Close()
		if dir := filepath.Dir(actual); dir != "." {
			root.MkdirAll(dir, 0o755) // what cannot be made is not there
		}
		root.WriteFile(actual, []byte(content), 0o644)
		sum := digest.Of([]byte(content)).Hex()
		if !honest {
			sum = digest.Hex(declared)
		}
		s.manifest = []output.Declared{{Path: declared, Bytes: size, SHA256: sum, Role: role}}
		verified, found, err := s.verify(t)
		require.NoError(t, err)
		for _, violation := range found {
			requirePrintable(t, violation.Path+violation.Message)
		}
		if verified == nil {
			require.NotEmpty(t, found)
			require.Empty(t, tree(t, s.staging))
			return
		}
		defer verified.Close()
		require.Len(t, verified.Files(), 1)
		require.Equal(t, content, tree(t, s.staging)[declared])
		require.Equal(t, declared, actual)
		require.True(t, honest)
		require.Equal(t, int64(len(content)), size)
	})
}
