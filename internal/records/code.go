package records

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"hotcell/internal/beneath"
	"hotcell/internal/digest"
	"hotcell/internal/durable"
	"hotcell/internal/job"
)

const maxSaved = 64 << 20 // bytes of saved code with its header: above every policy's limit

// codePrefix begins the name of saved code.
const codePrefix = "run_"

// CodeName names the saved code: run_20261121T004035Z_<id>.py.
func CodeName(result job.Result) string {
	return fmt.Sprintf(codePrefix+"%s_%s.py", result.Provenance.StartedAt.UTC().Format("20060102T150405Z"), result.RunID)
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

// ErrNoCode is returned for a run whose code was not kept, or has been deleted.
var ErrNoCode = errors.New("its code is not kept")

// Code reads the script of a record as it came. What is not the code that ran is an error,
// whatever the header above it says.
func (v *View) Code(ctx context.Context, record Record) (code []byte, err error) {
	id := record.Result.RunID
	if record.Code == "" {
		return nil, fmt.Errorf("read code of run %s: %w", id, ErrNoCode)
	}
	root, err := durable.OpenDir(v.Path(id))
	if err != nil {
		return nil, fmt.Errorf("read code of run %s: %w", id, err)
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	if _, err := root.Lstat(record.Code); errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read code of run %s: %w", id, ErrNoCode)
	}
	saved, err := beneath.ReadFile(ctx, root, record.Code, maxSaved)
	if err != nil {
		return nil, fmt.Errorf("read code of run %s: %w", id, err)
	}
	_, code, found := bytes.Cut(saved, []byte(codeBegins))
	if !found || digest.Of(code).Hex() != record.Result.Provenance.CodeSHA256 {
		return nil, fmt.Errorf("read code of run %s: %s is not what ran: it was changed after it was saved", id, record.Code)
	}
	return code, nil
}

// comment makes foreign text fit for one line of a comment.
func comment(text string) string {
	quoted := strconv.QuoteToASCII(text)
	return quoted[1 : len(quoted)-1]
}
