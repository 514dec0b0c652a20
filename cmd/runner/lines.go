package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"hotcell/internal/strictjson"
)

// maxStepID bounds the id of a step, which every answer repeats.
const maxStepID = 256

// stepKeys are those of a line of a session's input.
var stepKeys = []string{"cancel", "code", "id", "timeout"}

// parseLine reads one line of a session's input, the one of this number: lines that are not
// empty count from 1. Whatever is wrong with it, its id is read as far as it can be: whoever
// waits for an answer knows it by that.
func parseLine(line []byte, number int64) received {
	next := received{id: json.RawMessage(strconv.FormatInt(number, 10)), bytes: int64(len(line))}
	var asked struct {
		ID      json.RawMessage `json:"id"`
		Code    string          `json:"code"`
		Timeout json.RawMessage `json:"timeout"`
		Cancel  json.RawMessage `json:"cancel"`
	}
	if id, err := checkID(readID(line)); id != nil && err == nil {
		next.id = id
	}
	if err := strictjson.Decode(line, maxStep, &asked); err != nil {
		next.err = lineFault(line, err)
		return next
	}
	if _, next.err = checkID(asked.ID); next.err != nil {
		return next
	}
	if string(asked.Timeout) == "null" {
		asked.Timeout = nil
	}
	if asked.Cancel != nil {
		if next.cancel, next.err = checkID(asked.Cancel); next.err == nil && (asked.ID != nil || asked.Code != "" || asked.Timeout != nil) {
			next.err = errors.New(`a line that cancels has no other key: want one such as {"cancel": "a"}`)
		}
		return next
	}
	if asked.Code == "" {
		next.err = errors.New(`the line has no code: want one such as {"code": "print(1)"}`)
	}
	if next.code = asked.Code; asked.Timeout != nil && next.err == nil {
		next.timeout, next.err = parseTimeout(asked.Timeout)
	}
	return next
}

// parseTimeout reads a time with its unit: a number alone would be seconds for one and
// milliseconds for another.
func parseTimeout(value json.RawMessage) (time.Duration, error) {
	var text string
	err := strictjson.Decode(value, maxStep, &text)
	timeout := time.Duration(0)
	if err == nil {
		timeout, err = time.ParseDuration(text)
	}
	if err != nil || timeout < time.Millisecond {
		return 0, errors.New(`timeout must be a text of a time with its unit: write "timeout": "5s", or "500ms", or "1m30s"`)
	}
	return timeout, nil
}

// lineFault names the keys that nobody knows, in a line that is an object otherwise.
func lineFault(line []byte, err error) error {
	var unknown []string
	for _, name := range slices.Sorted(maps.Keys(strictjson.Members(line))) {
		if !slices.Contains(stepKeys, name) {
			unknown = append(unknown, fmt.Sprintf("%.64q", name))
		}
	}
	if unknown == nil {
		return fmt.Errorf(`want one line such as {"code": "print(1)", "id": "a"}: %s`, lineHint(line, err))
	}
	const most = 5
	if len(unknown) > most {
		unknown = append(unknown[:most], "and others")
	}
	return fmt.Errorf("unknown key %s: known are %s", strings.Join(unknown, ", "), strings.Join(stepKeys, ", "))
}

// lineHint says what is wrong with a line that is no such object.
func lineHint(line []byte, err error) string {
	text := bytes.TrimSpace(line)
	switch {
	case bytes.HasPrefix(text, []byte("\xef\xbb\xbf")):
		return "it begins with a byte order mark: leave that out"
	case bytes.HasPrefix(text, []byte("\xff\xfe")), bytes.HasPrefix(text, []byte("\xfe\xff")):
		return "it is UTF-16: write UTF-8"
	case bytes.HasPrefix(text, []byte("{'")):
		return "JSON has double quotes, not single ones"
	case !bytes.HasPrefix(text, []byte("{")) && !json.Valid(text):
		return "it is not valid JSON; to run a script as it stands, use `runner run`"
	}
	_, fault, found := strings.Cut(err.Error(), "JSON line ") // not that of the input
	if !found {
		return err.Error()
	}
	return strings.TrimLeft(fault, "0123456789:, ")
}

// readID finds the id on the outermost level of a line, also of one that is no JSON behind it.
func readID(line []byte) json.RawMessage {
	decoder := strictjson.NewDecoder(bytes.NewReader(line))
	if first, err := decoder.ReadToken(); err != nil || first.Kind() != '{' {
		return nil
	}
	for {
		name, err := decoder.ReadToken()
		if err != nil || name.Kind() != '"' {
			return nil
		}
		isID := name.String() == "id"
		value, err := decoder.ReadValue()
		if err != nil {
			return nil
		}
		if isID {
			return json.RawMessage(bytes.Clone(value))
		}
	}
}

// checkID returns an id that answers can repeat: a string, or a whole number.
func checkID(id json.RawMessage) (json.RawMessage, error) {
	if len(id) == 0 {
		return nil, nil
	}
	if id[0] == '"' {
		var text string
		if err := strictjson.Decode(id, 6*maxStepID+2, &text); err != nil || len(text) > maxStepID || !utf8.ValidString(text) {
			return nil, fmt.Errorf("the id has more than %d bytes", maxStepID)
		}
		return id, nil
	}
	if _, err := strconv.ParseInt(string(id), 10, 64); err != nil {
		return nil, fmt.Errorf("the id must be a string of at most %d bytes or a whole number of at most 64 bits", maxStepID)
	}
	return id, nil
}

// writeLine prints one line of JSON, in one write: two goroutines may print, and a file takes one write
// after the other.
func (a *app) writeLine(value any) error {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(value)
	if err == nil {
		_, err = io.WriteString(a.stdout, escapeInvisible(text.String()))
	}
	if err != nil {
		return fmt.Errorf("print answer: %w", err)
	}
	return nil
}
