package runner

import (
	"encoding/json"
	"fmt"

	"hotcell/internal/job"
	"hotcell/internal/output"
	"hotcell/internal/strictjson"
)

// chart is a plotly figure's plain data, or a picture among the files. It is read
// once, and what is released is written from it: a second reader could find another
// path, or another kind, in the guard's own bytes.
type chart struct {
	Kind string          `json:"kind"`
	Path string          `json:"path"`
	Spec json.RawMessage `json:"spec"`
}

const (
	plotly     = "plotly"
	matplotlib = "matplotlib"
)

// checkCharts compares the guard's list of charts with the files that the host has
// verified.
func checkCharts(encoded []json.RawMessage, files []job.File, most int) ([]chart, []job.Violation) {
	figures := map[string]bool{}
	for _, file := range files {
		if file.Role == output.RoleFigure {
			figures[file.Path] = true
		}
	}
	if len(encoded) > most || len(figures) > most {
		return nil, tooManyFigures(most)
	}
	var charts []chart
	var violations []job.Violation
	for index, given := range encoded {
		var read chart
		if fault := read.decode(given, figures); fault != "" {
			violations = append(violations, job.Violation{Rule: "output.chart", Message: fmt.Sprintf("chart %d %s", index+1, fault)})
		}
		charts = append(charts, read)
	}
	return charts, violations
}

func tooManyFigures(most int) []job.Violation {
	return []job.Violation{{Rule: "output.chart", Message: fmt.Sprintf("there are more than %d figures", most)}}
}

// decode reads one and says what is wrong with it.
func (c *chart) decode(encoded json.RawMessage, figures map[string]bool) string {
	switch err := strictjson.Decode(encoded, len(encoded), c); {
	case err != nil:
		return "is not an object with a kind, and a path or a spec"
	case c.Kind == plotly && isObject(c.Spec) && c.Path == "":
		return ""
	case c.Kind == matplotlib && c.Spec == nil && figures[c.Path]:
		return ""
	default:
		return "is neither plotly data nor a verified figure"
	}
}

// encode writes it for the result.
func (c *chart) encode() json.RawMessage {
	if c.Kind == plotly {
		return json.RawMessage(`{"kind":"plotly","spec":` + string(c.Spec) + `}`)
	}
	path, _ := json.Marshal(c.Path) // a string can be encoded
	return json.RawMessage(`{"kind":"matplotlib","path":` + string(path) + `}`)
}

func encodeCharts(charts []chart) []json.RawMessage {
	encoded := make([]json.RawMessage, len(charts))
	for index := range charts {
		encoded[index] = charts[index].encode()
	}
	return encoded
}
