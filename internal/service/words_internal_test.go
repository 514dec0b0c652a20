package service

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"log/slog"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/internal/admission"
	"hotcell/internal/container"
	"hotcell/internal/engineapi"
	"hotcell/internal/runner"
)

// TestEachErrorOfAnEngineHasItsPlace: one that crosses the socket is what a caller is told of it,
// and no fault of ours for want of a place.
func TestEachErrorOfAnEngineHasItsPlace(t *testing.T) {
	places := map[error]error{
		runner.ErrInput: ErrRefused, runner.ErrForbidden: ErrRefused, runner.ErrSessionOver: ErrClosed,
		admission.ErrFull: ErrUnavailable, admission.ErrDraining: ErrUnavailable, engineapi.ErrMalformed: ErrUnavailable, context.Canceled: ErrUnavailable,
		engineapi.ErrUnknownRun: ErrNotFound, fs.ErrNotExist: ErrNotFound, engineapi.ErrNoRecord: ErrNotFound,
		engineapi.ErrNotKept: ErrStorage,
	}
	own := map[error]string{ // faults of ours, or the host's
		runner.ErrExport:            "no front has files copied",
		container.ErrUnknownRuntime: "no front names a runtime: it is the engine's own",
		engineapi.ErrKnown:          "an id is ours to make: Start has it otherwise",
	}
	s := &Broker{doubt: make(chan struct{}, 1), options: Options{Logger: slog.New(slog.DiscardHandler)}}
	for _, one := range engineapi.Classes() {
		select { // what the one before has left
		case <-s.doubt:
		default:
		}
		failed := fmt.Errorf("at /var/lib/hotcell/secret: %w", one)
		told := s.told(t.Context(), failed)
		if own[one] != "" {
			require.Equal(t, failed, told, one)
			continue
		}
		if errors.Is(one, engineapi.ErrTooOften) {
			quota, ok := errors.AsType[*QuotaError](told)
			require.True(t, ok, told)
			require.Equal(t, QuotaError{Quota: "parts_per_minute", After: time.Minute}, *quota)
			require.Empty(t, s.doubt, "an engine that answers is not suspected")
			continue
		}
		require.Contains(t, places, one, "a class of the socket has no place")
		require.ErrorIs(t, told, places[one], one)
		if !errors.Is(one, runner.ErrInput) {
			require.NotContains(t, Words(told), "/var/lib", one)
		}
	}
	leansOn := regexp.MustCompile(`^(its?|they|their|which|whose|none|of|for|by|to|than)\b`) // its subject stands elsewhere
	for _, one := range reasons {
		require.NotRegexp(t, leansOn, one.words)
	}
	said := map[string]bool{inTheLog: true, words(fs.ErrNotExist): true}
	for _, away := range []error{engineapi.ErrLost, engineapi.ErrNone, engineapi.ErrDead, engineapi.ErrOthers} {
		told := s.told(t.Context(), fmt.Errorf("dial unix /run/x/front.sock: %w: %w", away, fs.ErrNotExist))
		require.ErrorIs(t, told, ErrUnavailable)
		require.ErrorContains(t, told, "/run/x/front.sock", "the log has it")
		require.NotContains(t, Words(told), "/run/x")
		require.NotContains(t, said, Words(told), "each has words of its own")
		said[Words(told)] = true
	}
	require.Equal(t, inTheLog, words(errors.New("there is no image in /var/lib/hotcell: run: runner image build")))
}

// TestNoWordsOfAShellReachANetwork: whatever the packages say whose errors are told to callers.
func TestNoWordsOfAShellReachANetwork(t *testing.T) {
	shell := regexp.MustCompile(`--[a-z]|runner (add|bundle|check|create|gc|image|keygen|ls|policy|records|run|session|verify)\b`)
	seen := 0
	for _, of := range []string{"runner", "bundle", "policy", "engineapi", "service", "access", "admission", "job", "tool"} {
		for _, text := range literals(t, filepath.Join("..", of)) {
			if !shell.MatchString(text) || text == unsigned { // that names whose business it is
				continue
			}
			seen++
			text = "unknown: " + text
			require.NotRegexp(t, shell, ofCaller(text), text)
			require.NotEmpty(t, ofCaller(text), text)
		}
	}
	require.Greater(t, seen, 20, "the sources are read")
}

func literals(t *testing.T, dir string) (found []string) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	require.NoError(t, err)
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		require.NoError(t, err)
		ast.Inspect(file, func(node ast.Node) bool {
			if literal, ok := node.(*ast.BasicLit); ok && literal.Kind == token.STRING {
				text, err := strconv.Unquote(literal.Value)
				require.NoError(t, err)
				found = append(found, text)
			}
			return true
		})
	}
	return found
}

func TestWordsOfACaller(t *testing.T) {
	for from, to := range map[string]string{
		"request cannot be run: there is no bundle \"nosuch\": `runner bundle ls` lists those in the store, and `runner bundle add DIR` adds one": `there is no bundle "nosuch"`,
		"policy x is off; choose another policy, or give --allow-unguarded to probe the container with it":                                        "policy x is off; choose another policy",
		"policy p takes no inputs: run without --inputs, or choose a policy whose guard.inputs is data":                                           "policy p takes no inputs",
		"request cannot be run: one\nrequest cannot be run: two: give --two\nrequest cannot be run: three":                                        "one\ntwo\nthree",
		"request cannot be run: there is no bundle \"IGNORE ALL --warm\": `runner bundle ls` lists those in the store":                            `there is no bundle "IGNORE ALL --warm"`,
		`bundle b has no table "--a", "(runner b", "\" --c; --d": it has x, and --tables names some`:                                              `bundle b has no table "--a", "(runner b", "\" --c; --d": it has x`,
		"a policy --named like this":                                         "",
		"the run may have less (--timeout, at most the policy's wall_clock)": "the run may have less",
		"a well-known word, and a runner that ends":                          "a well-known word, and a runner that ends",
	} {
		require.Equal(t, to, ofCaller(from))
	}
	require.NotContains(t, words(fmt.Errorf("%w: --x", runner.ErrInput)), "--")
}
