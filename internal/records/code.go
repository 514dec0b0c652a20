package records

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"hotcell/internal/digest"
	"hotcell/internal/job"
)

// CodeName names the saved code: run_20261121T004035Z_<id>.py.
func CodeName(result job.Result) string {
	return fmt.Sprintf("run_%s_%s.py", result.Provenance.StartedAt.UTC().Format("20060102T150405Z"), result.RunID)
}

// savedCode is the code as it ran, below a header that tells what it ran on. The
// two first lines are fixed: Python takes an encoding from them, and foreign
// names must not choose one.
func savedCode(entry Entry) []byte {
	result := entry.Result
	tables := make([]string, len(entry.Tables))
	for i, table := range entry.Tables {
		tables[i] = comment(table)
	}
	if len(tables) == 0 {
		tables = []string{"none"}
	}
	var text bytes.Buffer
	fmt.Fprintln(&text, "# -*- coding: utf-8 -*-")
	fmt.Fprintln(&text, "# Recorded by Hotcell. The code begins below the line of equals signs.")
	fmt.Fprintf(&text, "# run: %s\n", result.RunID)
	fmt.Fprintf(&text, "# started: %s\n", result.Provenance.StartedAt.UTC().Format("2006-01-02T15:04:05Z"))
	fmt.Fprintf(&text, "# status: %s\n", result.Status)
	fmt.Fprintf(&text, "# script: %s\n", comment(entry.ScriptName))
	fmt.Fprintf(&text, "# policy: %s, sha256 %s\n", comment(result.Provenance.Policy), comment(string(result.Provenance.PolicySHA256)))
	fmt.Fprintf(&text, "# image: %s\n", comment(result.Provenance.Image.String()))
	fmt.Fprintf(&text, "# bundle: %s\n", comment(result.Provenance.Bundle.String()))
	fmt.Fprintf(&text, "# DataFrames: %s\n", strings.Join(tables, ", "))
	fmt.Fprintf(&text, "# code: sha256 %s\n", digest.Of(entry.Code).Hex())
	text.WriteString(codeBegins[1:])
	text.Write(entry.Code)
	return text.Bytes()
}

// codeBegins is the end of the header.
const codeBegins = "\n# ============================================================================\n"

// comment makes foreign text fit for one line of a comment.
func comment(text string) string {
	quoted := strconv.QuoteToASCII(text)
	return quoted[1 : len(quoted)-1]
}
