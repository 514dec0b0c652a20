package container_test

import (
	"io"
	"reflect"
	"testing"

	specs "github.com/opencontainers/runtime-spec/specs-go"
	"github.com/stretchr/testify/require"

	"hotcell/internal/container"
	"hotcell/internal/digest"
)

func TestPreparedSandboxesOfOneKeyWereToldTheSame(t *testing.T) {
	seen := map[digest.Digest]string{}
	spec := configSpec()
	for _, words := range []string{"", "\n", "a", "b", "ab", "a\n", "a\x00", spec.Key().String(), "a\xff", "a\xfe"} {
		preparation := container.Preparation{Words: []byte(words)}
		key := preparation.Key(spec)
		require.NotContains(t, seen, key, "%q", words)
		require.NotEqual(t, spec.Key(), key)
		seen[key] = words
		require.Equal(t, key, container.Preparation{
			Words: []byte(words), Await: func(io.Reader) error { return nil },
			Seccomp: func() (*specs.LinuxSeccomp, error) { return &specs.LinuxSeccomp{}, nil },
		}.Key(configSpec()), "equal words of equal specs have one")
	}
}

// Each field of a Spec counts as in its own Key.
func TestPreparedSandboxesOfOneKeyAreIsolatedAlike(t *testing.T) {
	spec, preparation := configSpec(), container.Preparation{Words: []byte("words")}
	key := preparation.Key(spec)
	eachField(t, "", reflect.ValueOf(&spec).Elem(), func(path string, field reflect.Value) {
		before := reflect.New(field.Type()).Elem()
		before.Set(field)
		change(t, field)
		require.Equal(t, distinguishes[path], preparation.Key(spec) != key, path)
		field.Set(before)
	})
}
