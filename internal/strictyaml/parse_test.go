package strictyaml_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/stretchr/testify/require"

	"hotcell/internal/strictyaml"
)

const schema = `{"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object", "additionalProperties": false, "required": ["version"],
  "properties": {"version": {"const": 1}, "names": {"type": "array", "uniqueItems": true, "items": {"type": "string"}},
  "size": {"type": "integer", "minimum": 1, "description": "How large it is."}}}`

func faults(t *testing.T, text string) string {
	t.Helper()
	compiled, err := strictyaml.NewSchema("x.schema.json", []byte(schema))
	require.NoError(t, err)
	document, found := strictyaml.Parse([]byte(text))
	if found == nil {
		found = compiled.Faults(document)
	}
	var lines []string
	for _, one := range strictyaml.Listed(found) {
		lines = append(lines, one.String())
	}
	return strings.Join(lines, "\n")
}

func TestAllFaultsAreTold(t *testing.T) {
	require.Empty(t, faults(t, "version: 1\nnames: [a, b]\nsize: 3\n"))
	require.Equal(t, "key version is missing\nline 1: unknown key siez: known are names, size, version\nline 2: names: the same stands twice\n"+
		"line 3: size: it must be 1 or more, not 0. How large it is.", strings.ReplaceAll(faults(t, "siez: 3\nnames: [a, a]\nsize: 0\n"), "line 1: key", "key"))
}

func TestWhatIsNotOnePlainDocument(t *testing.T) {
	for name, test := range map[string]struct{ text, want string }{
		"nothing":       {"", "exactly one"},
		"two documents": {"version: 1\n---\nversion: 1\n", "exactly one"},
		"an anchor":     {"version: &a 1\n", "anchors"},
		"an alias":      {"names: [&a x, *a]\n", "anchors"},
		"a tag":         {"version: !!str 1\n", "tags"},
		"a merge":       {"a: {b: 1}\n<<: {c: 1}\n", "merges"},
		"a key twice":   {"version: 1\nversion: 1\n", "already defined"},
		"octal digits":  {"version: 010\n", "decimal"},
		"a long file":   {strings.Repeat("#", strictyaml.MaxBytes+1), "bytes"},
		"a deep file":   {"a: " + strings.Repeat("[", 100), "within each other"},
		"no UTF-8":      {"version: \xff\n", "UTF-8"},
	} {
		t.Run(name, func(t *testing.T) { require.Contains(t, faults(t, test.text), test.want) })
	}
}

func TestASchemaNamesNothingOutside(t *testing.T) {
	_, err := strictyaml.NewSchema("x.schema.json", []byte(`{"$ref": "file:///etc/passwd"}`))
	require.Error(t, err)
}

func FuzzParse(f *testing.F) {
	compiled, err := strictyaml.NewSchema("x.schema.json", []byte(schema))
	require.NoError(f, err)
	for _, text := range []string{"version: 1\nnames: [a]\n", "? a\n: b\n", "- - -\n", "a: |\n b\n", "\xef\xbb\xbfa: 1"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		document, found := strictyaml.Parse(data)
		if found != nil || compiled.Faults(document) != nil {
			return
		}
		var value struct {
			Version int      `yaml:"version"`
			Names   []string `yaml:"names"`
			Size    int64    `yaml:"size"`
		}
		if err := yaml.NodeToValue(document, &value, yaml.Strict()); err == nil && value.Version != 1 {
			t.Fatal(errors.New("what the schema refuses was read"))
		}
	})
}
