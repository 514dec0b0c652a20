package httpapi_test

import (
	"maps"
	"net/http"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"

	"hotcell/api"
	"hotcell/internal/job"
	"hotcell/internal/strictjson"
)

// decodeAny reads JSON of ours.
func decodeAny(data []byte, into any) error { return strictjson.Decode(data, len(data), into) }

func TestTheDocumentIsOne(t *testing.T) {
	doc := theContract().doc
	require.Equal(t, "3.1.0", doc.OpenAPI)
	require.NoError(t, doc.Validate(t.Context(), openapi3.IsOpenAPI31OrLater(), openapi3.EnableExamplesValidation()))
}

func TestTheDocumentIsServedAsJSON(t *testing.T) {
	d := newDesk(t, noLimits)
	got := d.do(asking{method: "GET", path: "/v1/openapi.json", as: "anna"})
	served, err := openapi3.NewLoader().LoadFromData([]byte(got.body))
	require.NoError(t, err)
	require.Equal(t, theContract().doc.Paths.InMatchingOrder(), served.Paths.InMatchingOrder())
	require.Equal(t, slices.Sorted(maps.Keys(theContract().doc.Components.Schemas)), slices.Sorted(maps.Keys(served.Components.Schemas)))
}

// schemaOf is the document's schema of a Go type's name.
var renamed = map[reflect.Type]string{reflect.TypeFor[job.Result](): "RunResult"}

// TestTypesAndSchemasAreTheSame goes through every type that is written, from the roots.
func TestTypesAndSchemasAreTheSame(t *testing.T) {
	seen := map[string]bool{"RunId": true, "Hex": true, "Digest": true, "Status": true, "State": true}
	var walk func(kind reflect.Type)
	walk = func(kind reflect.Type) {
		switch kind.Kind() {
		case reflect.Pointer, reflect.Slice:
			walk(kind.Elem())
			return
		case reflect.Struct:
		default:
			return
		}
		name := kind.Name()
		if other, ok := renamed[kind]; ok {
			name = other
		}
		if !strings.HasPrefix(kind.PkgPath(), "hotcell/") || seen[name] || kind == reflect.TypeFor[job.ID]() {
			return
		}
		seen[name] = true
		sameMembers(t, name, kind)
		for field := range kind.Fields() {
			walk(field.Type)
		}
	}
	for _, root := range []any{
		api.CreateRun{}, api.Run{}, api.Runs{}, api.Checked{}, api.Event{}, api.StateEvent{}, api.TextEvent{}, api.ToolCallEvent{}, api.GapEvent{},
		api.Problem{}, api.OpenSession{}, api.Session{}, api.Sessions{}, api.CreateStep{}, api.Step{}, api.PolicyList{}, api.BundleList{}, api.ToolList{},
		api.FileList{}, api.VersionInfo{}, api.HostInfo{}, api.Me{},
	} {
		walk(reflect.TypeOf(root))
	}
	for name := range theContract().doc.Components.Schemas {
		require.True(t, seen[name], "the schema %s is of no type", name)
	}
}

func sameMembers(t *testing.T, name string, kind reflect.Type) {
	t.Helper()
	ref := theContract().doc.Components.Schemas[name]
	require.NotNil(t, ref, "there is no schema of %s", name)
	var members, required []string
	for field := range kind.Fields() {
		member, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		require.NotEmpty(t, member, "%s.%s", name, field.Name)
		members = append(members, member)
		if options == "" {
			required = append(required, member)
		}
		property := ref.Value.Properties[member]
		require.NotNil(t, property, "the schema %s lacks %s", name, member)
		sameKind(t, name+"."+member, field.Type, property.Value)
	}
	slices.Sort(members)
	slices.Sort(required)
	require.Equal(t, members, slices.Sorted(maps.Keys(ref.Value.Properties)), name)
	require.ElementsMatch(t, required, ref.Value.Required, name)
	require.NotNil(t, ref.Value.AdditionalProperties.Has, name)
	require.False(t, *ref.Value.AdditionalProperties.Has, name)
}

// sameKind compares the plain types of a member.
func sameKind(t *testing.T, where string, kind reflect.Type, schema *openapi3.Schema) {
	t.Helper()
	want := ""
	switch kind.Kind() { //nolint:exhaustive // others have no plain type
	case reflect.String:
		want = "string"
	case reflect.Bool:
		want = "boolean"
	case reflect.Int, reflect.Int64:
		want = "integer"
	case reflect.Slice:
		if kind.Elem().Kind() != reflect.Uint8 {
			want = "array"
		}
	}
	if want != "" {
		require.NotNil(t, schema.Type, where)
		require.True(t, schema.Type.Includes(want), where)
	}
}

// TestEveryRouteIsInTheDocument: the routes are in no exported name, so the source says them.
func TestEveryRouteIsInTheDocument(t *testing.T) {
	source, err := os.ReadFile("routes.go")
	require.NoError(t, err)
	var ours, theirs []string
	for _, found := range regexp.MustCompile(`pattern: "([A-Z]+ [^"]+)"`).FindAllStringSubmatch(string(source), -1) {
		ours = append(ours, strings.ReplaceAll(found[1], "...", ""))
	}
	for path, item := range theContract().doc.Paths.Map() {
		for method := range item.Operations() {
			theirs = append(theirs, method+" "+path)
		}
	}
	require.ElementsMatch(t, ours, theirs)
	require.Greater(t, len(ours), 20)
}

// TestProblemsAreInThePage compares the table of docs/service.md with ours.
func TestProblemsAreInThePage(t *testing.T) {
	page, err := os.ReadFile("../../docs/service.md")
	require.NoError(t, err)
	source, err := os.ReadFile("word.go")
	require.NoError(t, err)
	_, section, _ := strings.Cut(string(page), "\n## Problems\n")
	section, _, _ = strings.Cut(section, "\n## ")
	var ours, told []string
	statuses := map[string]string{}
	entry := regexp.MustCompile(`word\{"([a-z-]+)", http\.(Status\w+), "([^"]+)",\s+"([^"]+)"\}`)
	for _, found := range entry.FindAllStringSubmatch(string(source), -1) {
		ours = append(ours, found[1]+"|"+found[3]+"|"+found[4])
		statuses[found[1]] = statusNamed(t, found[2])
	}
	for _, found := range regexp.MustCompile("(?m)^\\| `([a-z-]+)` \\| (\\d{3}) \\| ([^|]+) \\| ([^|]+) \\|$").FindAllStringSubmatch(section, -1) {
		told = append(told, found[1]+"|"+found[3]+"|"+found[4])
		require.Equal(t, statuses[found[1]], found[2], found[1])
	}
	require.Equal(t, ours, told)
	require.Greater(t, len(ours), 15)
}

// statusNamed is the number of a constant of net/http.
func statusNamed(t *testing.T, name string) string {
	t.Helper()
	words := regexp.MustCompile(`[A-Z][a-z]+`).FindAllString(strings.TrimPrefix(name, "Status"), -1)
	for status := 400; status < 600; status++ {
		if strings.EqualFold(http.StatusText(status), strings.Join(words, " ")) {
			return strconv.Itoa(status)
		}
	}
	t.Fatalf("net/http has no %s", name)
	return ""
}
