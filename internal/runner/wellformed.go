package runner

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"hotcell/internal/job"
)

// maxScriptName is in bytes: far above what tracebacks and a record have use for.
const maxScriptName = 1024

// checkForm refuses what the guard would end for, as if the fault were ours.
func checkForm(request job.Request) error {
	err := checkScriptName(request.ScriptName)
	if request.Seed < 0 || request.Seed > maxSeed {
		err = errors.Join(err, input(fmt.Errorf("the seed is %d: it must be from 1 to %d, or 0 for one that is drawn", request.Seed, int64(maxSeed))))
	}
	return err
}

// checkScriptName takes "", too: a session's own request has no script.
func checkScriptName(name string) error {
	odd := func(r rune) bool { return r == '/' || !unicode.IsPrint(r) }
	if len(name) > maxScriptName || !utf8.ValidString(name) || strings.ContainsFunc(name, odd) {
		return input(fmt.Errorf("the script's name must be a base name of at most %d bytes that can be printed", maxScriptName))
	}
	return nil
}
