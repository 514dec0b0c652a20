package main

import (
	"fmt"
	"io"
	"path/filepath"

	"hotcell/internal/job"
)

// maxFindings is how many a person is shown; the answer has all.
const maxFindings = 5

// reviewed says why somebody should look at what the run gives out.
func reviewed(w io.Writer, review *job.Review) {
	if review == nil || !review.Needed {
		return
	}
	fmt.Fprintf(w, "  review   somebody should look at this before it goes further: %s\n", counted(len(review.Findings), "finding"))
	for index, finding := range review.Findings {
		if index == maxFindings {
			fmt.Fprintf(w, "    … and %d more, %s\n", len(review.Findings)-maxFindings, elsewhere)
			break
		}
		fmt.Fprintf(w, "    %s%s  [%s]\n", whereFound(finding), finding.Message, finding.Rule)
	}
}

// whereFound says where a finding is first, and how often it is there.
func whereFound(finding job.ReviewFinding) string {
	text := filepath.FromSlash(finding.Path)
	if text == "" {
		text = finding.Part
	}
	unit := "row"
	if finding.Path == "" && finding.Part != "result" {
		unit = "line"
	}
	if finding.Row > 0 {
		text += fmt.Sprintf(", %s %d", unit, finding.Row)
	}
	if finding.Column > 0 {
		text += fmt.Sprintf(", column %d", finding.Column)
	}
	if finding.Count > 1 {
		text += fmt.Sprintf(", %d times", finding.Count)
	}
	if text == "" {
		return ""
	}
	return text + ": "
}
