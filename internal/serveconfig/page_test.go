package serveconfig

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// rows are the keys of the page's table, each with its default.
func rows(t *testing.T) (keys []string, defaults map[string]string, example string) {
	t.Helper()
	text, err := os.ReadFile("../../docs/service.md")
	require.NoError(t, err)
	_, section, found := strings.Cut(string(text), "\n## Configuration\n")
	require.True(t, found)
	section, _, _ = strings.Cut(section, "\n## ")
	defaults = map[string]string{}
	for _, row := range regexp.MustCompile("(?m)^\\| `([^`]+)` \\|.*\\| ?([^|]*?) ?\\|$").FindAllStringSubmatch(section, -1) {
		keys = append(keys, row[1])
		defaults[row[1]] = strings.Trim(row[2], "`")
	}
	_, example, _ = strings.Cut(section, "```yaml\n")
	example, _, _ = strings.Cut(example, "```")
	return keys, defaults, example
}

// leaves lists the keys of a schema that have values. What has names of the user's choice is one.
func leaves(node, definitions map[string]any, at string) []string {
	if reference, ok := node["$ref"].(string); ok {
		node, _ = definitions[strings.TrimPrefix(reference, "#/$defs/")].(map[string]any)
	}
	properties, _ := node["properties"].(map[string]any)
	if items, ok := node["items"].(map[string]any); ok && items["properties"] != nil {
		return leaves(items, definitions, at+"[]")
	}
	if properties == nil {
		return []string{at}
	}
	var all []string
	for _, key := range slices.Sorted(maps.Keys(properties)) {
		inner, _ := properties[key].(map[string]any)
		all = append(all, leaves(inner, definitions, strings.TrimPrefix(at+"."+key, "."))...)
	}
	return all
}

func TestThePageHasEveryKeyOfTheSchema(t *testing.T) {
	var schema map[string]any
	require.NoError(t, json.Unmarshal(Schema(), &schema))
	definitions, ok := schema["$defs"].(map[string]any)
	require.True(t, ok)
	keys, _, _ := rows(t)
	require.ElementsMatch(t, leaves(schema, definitions, ""), keys)
}

func TestThePageHasTheDefaults(t *testing.T) {
	_, told, _ := rows(t)
	made := Default()
	for key, value := range map[string]any{
		"engine": made.Engine, "data": made.Data, "drain": made.Drain, "log.level": made.Log.Level,
		"quotas.default.running": made.Quotas.Default.Running, "quotas.default.queued": made.Quotas.Default.Queued,
		"quotas.default.requests_per_minute": made.Quotas.Default.RequestsPerMinute, "quotas.default.sessions": made.Quotas.Default.Sessions,
		"quotas.default.reads_per_minute": made.Quotas.Default.ReadsPerMinute, "quotas.default.queued_bytes": made.Quotas.Default.QueuedBytes,
		"quotas.default.recorded_bytes_per_day": made.Quotas.Default.RecordedBytesPerDay, "limits.queue_bytes": made.Limits.QueueBytes,
		"limits.body_bytes": made.Limits.BodyBytes, "limits.queue": made.Limits.Queue, "limits.connections": made.Limits.Connections,
		"sessions.idle": made.Sessions.Idle, "sessions.total": made.Sessions.Total, "listen[].mode": fmt.Sprintf("%q", made.Listen[0].Mode),
	} {
		require.Equal(t, fmt.Sprint(value), told[key], key)
	}
	require.Contains(t, told["listen[].unix"], made.Listen[0].Unix)
	require.Contains(t, told["listen[].group"], made.Listen[0].Group)
	require.Contains(t, told["authentication.unix.groups"], made.Authentication.Unix.Groups[0])
	for _, scope := range made.Authentication.Unix.Scopes {
		require.Contains(t, told["authentication.unix.scopes"], string(scope))
	}
}

func TestThePagesExampleIsRead(t *testing.T) {
	_, _, example := rows(t)
	read, err := parse("serve.yaml", []byte(example))
	require.NoError(t, err)
	require.Len(t, read.Listen, 2)
	require.Equal(t, 16, read.Quotas.For("token:ci").Running)
}
