package runner

import (
	"encoding/json"
	"fmt"

	"hotcell/internal/job"
	"hotcell/internal/output"
)

// checkCharts compares the guard's list of charts with the files that the host has
// verified. A chart is a plotly figure's plain data, or a picture among the files.
func checkCharts(charts []json.RawMessage, files []job.File, most int) []job.Violation {
	figures := map[string]bool{}
	for _, file := range files {
		if file.Role == output.RoleFigure {
			figures[file.Path] = true
		}
	}
	if len(charts) > most || len(figures) > most {
		return []job.Violation{{Rule: "output.chart", Message: fmt.Sprintf("there are more than %d figures", most)}}
	}
	var violations []job.Violation
	for index, chart := range charts {
		if fault := chartFault(chart, figures); fault != "" {
			violations = append(violations, job.Violation{Rule: "output.chart", Message: fmt.Sprintf("chart %d %s", index+1, fault)})
		}
	}
	return violations
}

func chartFault(encoded json.RawMessage, figures map[string]bool) string {
	var chart struct {
		Kind string                     `json:"kind"`
		Path string                     `json:"path"`
		Spec map[string]json.RawMessage `json:"spec"`
	}
	switch err := json.Unmarshal(encoded, &chart); {
	case err != nil:
		return "is not an object with a kind"
	case chart.Kind == "plotly" && chart.Spec != nil && chart.Path == "":
		return ""
	case chart.Kind == "matplotlib" && chart.Spec == nil && figures[chart.Path]:
		return ""
	default:
		return "is neither plotly data nor a verified figure"
	}
}
