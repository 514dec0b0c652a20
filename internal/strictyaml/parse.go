// Package strictyaml reads YAML that an administrator has written, and says at once all that is
// wrong with it, by line: one document without anchors, aliases, merges, tags or directives, every
// key of a JSON Schema once, and no other.
//
// It bounds what it reads before it parses. What the values mean is its callers' to decide:
// internal/policy and internal/serveconfig.
package strictyaml

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// MaxBytes and maxLines are many times what the largest built-in policy has. The
// scanner takes time with the square of the lines: 60,000 empty ones were minutes.
const (
	MaxBytes = 64 << 10
	maxLines = 2000
)

// Parse returns the root of the file's only document, or what is wrong with it. Beside faults there
// is a document where they are numbers that are none: what else is wrong with it can be told, too.
func Parse(data []byte) (ast.Node, []Fault) {
	if len(data) > MaxBytes {
		return nil, wholeFile("file has more than %d bytes", MaxBytes)
	}
	if lines := bytes.Count(data, []byte("\n")) + bytes.Count(data, []byte("\r")); lines > maxLines {
		return nil, wholeFile("file has more than %d lines", maxLines)
	}
	if !utf8.Valid(data) {
		return nil, wholeFile("file is not valid UTF-8")
	}
	return parse(data)
}

func parse(data []byte) (ast.Node, []Fault) {
	tokens := lexer.Tokenize(string(data))
	if len(tokens) > maxTokens {
		return nil, wholeFile("file has more than %d words and signs", maxTokens)
	}
	if fault := tooDeep(tokens); fault != nil {
		return nil, []Fault{*fault}
	}
	file, err := parser.Parse(tokens, 0)
	if err != nil {
		return nil, []Fault{FaultOf(err)}
	}
	if len(file.Docs) != 1 || file.Docs[0].Body == nil {
		return nil, wholeFile("file must hold exactly one YAML document")
	}
	forbidden := &indirections{}
	ast.Walk(forbidden, file.Docs[0].Body)
	if forbidden.indirect {
		return nil, forbidden.found
	}
	return file.Docs[0].Body, forbidden.found
}

// maxTokens is many times what the longest built-in policy has. The parser compares each
// key of a mapping with all others: with 22,000 keys a file took it seconds.
const maxTokens = 20_000

// maxDepth is many times what a policy needs, a tool's schema in it included.
const maxDepth = 64

// tooDeep looks at a file before the parser does, which needs 25 kB for each level: a
// file of 250 kB that opens brackets, or says "- - - -", ended the process for lack of
// memory. What a line opens counts from its beginning, brackets until they are closed.
// Levels of lines that are indented further and further cost their own blanks.
func tooDeep(tokens token.Tokens) *Fault {
	brackets, opened, at := 0, 0, 0
	for _, each := range tokens {
		if each.Position.Line != at {
			opened, at = 0, each.Position.Line
		}
		switch each.Type {
		case token.SequenceStartType, token.MappingStartType:
			brackets++
		case token.SequenceEndType, token.MappingEndType:
			brackets = max(0, brackets-1)
		case token.SequenceEntryType, token.MappingKeyType:
			opened++
		default:
		}
		if brackets+opened > maxDepth {
			return &Fault{at, fmt.Sprintf("more than %d collections within each other", maxDepth)}
		}
	}
	return nil
}

// indirections finds what makes a file mean something else than it shows.
type indirections struct {
	found    []Fault
	indirect bool // not only numbers, in whose place everything else can still be looked at
}

// Visit implements ast.Visitor.
func (v *indirections) Visit(node ast.Node) ast.Visitor {
	switch node.Type() {
	case ast.AnchorType, ast.AliasType, ast.TagType, ast.MergeKeyType, ast.DirectiveType:
		v.indirect = true
		v.found = append(v.found, Fault{line(node), "anchors, aliases, merges, tags and directives are not accepted"})
	case ast.IntegerType, ast.FloatType, ast.InfinityType, ast.NanType:
		if !plainNumber.MatchString(node.GetToken().Value) {
			v.found = append(v.found, Fault{line(node), "a number is written in decimal digits, for example 64 or 0.5, and what is none in quotes, for example mode: \"0660\""})
		}
	default:
	}
	return v
}

// plainNumber is JSON's: of 010, 0x40 and 1_000 versions of YAML make different numbers.
var plainNumber = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$`)

func line(node ast.Node) int { return node.GetToken().Position.Line }

// LineOf returns the line of the deepest node on the way to place.
func LineOf(node ast.Node, place Place) int {
	at := line(node)
	for _, step := range place {
		next := child(node, step)
		if next == nil {
			return at
		}
		node, at = next.value, next.line
	}
	return at
}

type entry struct {
	value ast.Node
	line  int
}

func child(node ast.Node, step string) *entry {
	switch node := node.(type) {
	case *ast.MappingNode:
		for _, pair := range node.Values {
			if pair.Key.GetToken().Value == step {
				return &entry{pair.Value, line(pair.Key)}
			}
		}
	case *ast.SequenceNode:
		if index, err := strconv.Atoi(step); err == nil && index >= 0 && index < len(node.Values) {
			return &entry{node.Values[index], line(node.Values[index])}
		}
	}
	return nil
}

// yamlPosition is how the YAML library begins its messages: "[line:column] text".
var yamlPosition = regexp.MustCompile(`^\[(\d+):\d+\] (.*)`)

// FaultOf is an error of the YAML library as a fault. It drops the excerpt of the source that the YAML library appends.
func FaultOf(err error) Fault {
	text, _, _ := strings.Cut(yaml.FormatError(err, false, false), "\n")
	found := yamlPosition.FindStringSubmatch(text)
	if found == nil {
		return Fault{Message: text}
	}
	at, err := strconv.Atoi(found[1])
	if err != nil {
		return Fault{Message: text}
	}
	return Fault{at, found[2]}
}
