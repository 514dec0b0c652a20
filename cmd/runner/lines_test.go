package main

import (
	"bufio"
	"encoding/json"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/semaphore"
)

func TestEveryLineHasAnID(t *testing.T) {
	long := strings.Repeat("x", maxStepID+1)
	for line, want := range map[string]struct{ id, fault string }{
		`{"code":"1"}`:                           {`7`, ""},
		`{"id":"a","code":"1"}`:                  {`"a"`, ""},
		`{"code":"1","id":12}`:                   {`12`, ""},
		`{"id":-9223372036854775808,"code":"1"}`: {`-9223372036854775808`, ""},
		`{"id":"","code":"1"}`:                   {`""`, ""},
		`{"id":"a"}`:                             {`"a"`, "the line has no code"},
		`{"id":"a","code":""}`:                   {`"a"`, "the line has no code"},
		`{"id":"a","code":1}`:                    {`"a"`, "want a string"},
		`{"id":"a","cod":"1","zeit":2}`:          {`"a"`, `unknown key "cod", "zeit": known are cancel, code, id, timeout`},
		`{"id":"a","code":"1","code":"2"}`:       {`"a"`, "the name appears twice"},
		`{"id":"a","id":"b","code":"1"}`:         {`"a"`, "the name appears twice"},
		`{"Code":"1","id":"a"}`:                  {`"a"`, `unknown key "Code"`},
		`{"id":"a","code":"1"} {}`:               {`"a"`, "not valid JSON"},
		`{"id":"a","code":"pri`:                  {`"a"`, "not valid JSON"},
		`{"code":{"id":"inner"},"id":"outer"}`:   {`"outer"`, "want a string"},
		`{"code":["id","inner"],"id":"outer"}`:   {`"outer"`, "want a string"},
		`{"id":1.5,"code":"1"}`:                  {`7`, "the id must be a string"},
		`{"id":1e3,"code":"1"}`:                  {`7`, "the id must be a string"},
		`{"id":9223372036854775808,"code":"1"}`:  {`7`, "the id must be a string"},
		`{"id":null,"code":"1"}`:                 {`7`, "the id must be a string"},
		`{"id":["a"],"code":"1"}`:                {`7`, "the id must be a string"},
		`{"id":"` + long + `","code":"1"}`:       {`7`, "more than 256 bytes"},
		`{"id":"` + long[1:] + `","code":"1"}`:   {`"` + long[1:] + `"`, ""},
		`no JSON`:                                {`7`, "not valid JSON"},
		`["id","a"]`:                             {`7`, "want an object"},
		`{"id"`:                                  {`7`, "not valid JSON"},
		"print(1)":                               {`7`, "not valid JSON; to run a script as it stands, use `runner run`"},
		"{'code': '1'}":                          {`7`, "JSON has double quotes, not single ones"},
		"\xef\xbb\xbf{\"code\":\"1\"}":           {`7`, "it begins with a byte order mark"},
		"\xff\xfe{\x00\"\x00":                    {`7`, "it is UTF-16"},
		`{"id":"b","code":5}`:                    {`"b"`, `"id": "a"}: "code": a number does not belong there: want a string`},
		"{\"id\":\"\xff\",\"code\":\"1\"}":       {`7`, "not valid JSON"},
	} {
		next := parseLine([]byte(line), 7)
		require.Equal(t, want.id, string(next.id), line)
		if want.fault == "" {
			require.NoError(t, next.err, line)
			require.Equal(t, "1", next.code, line)
		} else {
			require.ErrorContains(t, next.err, want.fault, line)
		}
	}
}

func TestLinesCountFromOneAndEmptyOnesDoNot(t *testing.T) {
	read := lineReader(bufio.NewReader(strings.NewReader("\n{\"code\":\"1\"}\n \nwrong\n{\"code\":\"3\"}")))
	for _, want := range []string{"1", "2", "3"} {
		require.Equal(t, want, string(read().id))
	}
	require.ErrorIs(t, read().err, io.EOF)
}

func TestALineThatIsTooLongKeepsItsID(t *testing.T) {
	reader := bufio.NewReaderSize(strings.NewReader(`{"id":"a","code":"`+strings.Repeat("x", 100)+`"}`+"\n"+`{"code":"2"}`), 32)
	line, err := readLine(reader, 90)
	require.ErrorContains(t, err, "more than 90 bytes")
	require.Equal(t, `"a"`, string(readID(line)))
	line, err = readLine(reader, 90)
	require.NoError(t, err)
	require.JSONEq(t, `{"code":"2"}`, string(line))
}

func TestWhatComesAfterTheEndIsNotLost(t *testing.T) {
	a := &app{stdin: strings.NewReader("{\"id\":\"a\",\"code\":\"1\"}\n{\"id\":\"b\"}\n")}
	source := a.stepSource(t.Context(), nil)
	first := <-source.steps
	source.taken(first)
	for !source.ended {
		left := source.rest()
		for _, each := range left {
			require.Equal(t, `"b"`, string(each.id))
			require.ErrorContains(t, each.err, "no code")
		}
	}
	require.NoError(t, first.err)
	require.Empty(t, source.rest(), "and nobody waits for more")
}

func TestALineMayHaveATimeoutOrCancel(t *testing.T) {
	next := parseLine([]byte(`{"id":"a","code":"1","timeout":"1m30s"}`), 1)
	require.NoError(t, next.err)
	require.Equal(t, 90*time.Second, next.timeout)
	for _, text := range []string{`"5"`, `5`, `""`, `"-1s"`, `"0s"`, `"1us"`} {
		require.ErrorContains(t, parseLine([]byte(`{"code":"1","timeout":`+text+`}`), 1).err, `write "timeout": "5s"`, text)
	}
	next = parseLine([]byte(`{"code":"1","timeout":null}`), 1)
	require.NoError(t, next.err)
	require.Zero(t, next.timeout)
	next = parseLine([]byte(`{"cancel":12}`), 1)
	require.NoError(t, next.err)
	require.Equal(t, "12", string(next.cancel))
	for _, line := range []string{`{"cancel":"a","code":"1"}`, `{"cancel":"a","id":"b"}`, `{"cancel":1.5}`, `{"cancel":null}`} {
		require.Error(t, parseLine([]byte(line), 1).err, line)
	}
}

func TestACancelMeetsTheStepOfItsIDAlone(t *testing.T) {
	said := map[string]cancelling{}
	reader := bufio.NewReader(strings.NewReader("{\"id\":\"a\",\"code\":\"1\"}\n{\"code\":\"2\"}\n{\"cancel\":\"b\"}\n{\"cancel\":2}\n"))
	source := &stepSource{
		steps: make(chan received, 3), room: semaphore.NewWeighted(100), known: &running{},
		cancels: newCancelAnswers(func(id json.RawMessage, met cancelling) { said[string(id)] = met }),
	}
	source.cancels.begin()
	source.fill(t.Context(), lineReader(reader))
	first, second := <-source.steps, <-source.steps
	require.Equal(t, map[string]cancelling{`"b"`: {}, `2`: {found: true}}, said)
	<-second.interrupt
	select {
	case <-first.interrupt:
		t.Fatal("nobody has cancelled it")
	default:
	}
	require.Equal(t, cancelling{found: true, already: true}, source.known.interrupt(json.RawMessage("2")), "it has been")
	source.known.answered(first)
	require.Zero(t, source.known.interrupt(json.RawMessage(`"a"`)), "it has its answer")
	again := received{id: json.RawMessage("2")}
	source.known.add(&again)
	require.Equal(t, cancelling{found: true}, source.known.interrupt(json.RawMessage("2")), "another step of this id")
	require.Equal(t, cancelling{found: true, already: true}, source.known.interrupt(json.RawMessage("2")))
}

// TestTheFirstLineOfASessionIsThatItIsReady, whatever was cancelled by then.
func TestTheFirstLineOfASessionIsThatItIsReady(t *testing.T) {
	var out strings.Builder
	a := &app{stdout: &out, json: true}
	cancels := newCancelAnswers(a.answerCancel)
	for range maxWaiting {
		cancels.add(json.RawMessage(`"a"`), cancelling{found: true, already: true})
	}
	waits := make(chan struct{})
	go func() {
		defer close(waits)
		cancels.add(json.RawMessage(`"last"`), cancelling{})
	}()
	require.Empty(t, out.String())
	require.NoError(t, a.writeLine(map[string]any{"ready": 1}))
	cancels.begin()
	<-waits
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	require.Len(t, lines, maxWaiting+2)
	require.Equal(t, `{"ready":1}`, lines[0])
	require.JSONEq(t, `{"cancel":"a","found":true,"already":true}`, lines[1])
	require.JSONEq(t, `{"cancel":"last","found":false}`, lines[maxWaiting+1])
}
