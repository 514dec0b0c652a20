package tool

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"hotcell/internal/panics"
)

// What one check of hostile parameters may cost. The schema is trusted, but one
// that was written without an attacker in mind (two branches that each refer to the
// whole) takes time exponential in the depth of what it is given.
const (
	maxSteps   = 1_000_000 // values met, each as often as the schema makes it be
	maxExplain = 10_000    // the same, when the faults are listed: each costs up to 2 KiB
	// maxExplained is how many bytes parameters may have whose faults are listed.
	maxExplained = 64 << 10
	// maxMatched is of a string that a pattern is tried on, in bytes. Go's regular
	// expressions take time linear in the string, and in the pattern.
	maxMatched = 64 << 10
)

// checker holds parameters to a schema, within bounds. The library has neither a
// context nor a limit, so that every subschema is given a format that counts.
type checker struct {
	schema *jsonschema.Schema
	quick  *jsonschema.Schema // invalid where schema is valid; says nothing else, and keeps nothing

	mu    sync.Mutex
	ctx   context.Context //nolint:containedctx // of the check that goes on
	steps int
}

// stopped is thrown through the library to end a check.
type stopped struct{ because error }

var (
	errTooComplex = errors.New("the parameters have too many values to be checked against the tool's schema: send fewer")
	errTooLong    = fmt.Errorf("the parameters have a string of more than %d bytes where the tool's schema has a pattern", maxMatched)
)

// check returns nil for parameters, of size bytes, that fit, a *jsonschema.ValidationError for
// those that do not, errTooComplex or errTooLong, or the cause of ctx's end.
func (c *checker) check(ctx context.Context, document any, size int) error {
	negated, err := c.validate(ctx, c.quick, document, maxSteps)
	if err != nil || negated != nil {
		return err
	}
	if size > maxExplained {
		return &jsonschema.ValidationError{}
	}
	faults, err := c.validate(ctx, c.schema, document, maxExplain)
	if errors.Is(err, errTooComplex) {
		return &jsonschema.ValidationError{} // too many faults to list
	}
	return errors.Join(faults, err)
}

func (c *checker) validate(ctx context.Context, schema *jsonschema.Schema, document any, steps int) (invalid, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ctx, c.steps = ctx, steps
	defer func() {
		thrown := recover()
		if end, ok := thrown.(stopped); ok {
			err = end.because
		} else if thrown != nil {
			panic(thrown)
		}
	}()
	return schema.Validate(document), nil
}

// step counts one value that is looked at, or ends the check.
func (c *checker) step() {
	if c.steps--; c.steps < 0 {
		panic(stopped{errTooComplex})
	}
	if c.ctx.Err() != nil {
		panic(stopped{context.Cause(c.ctx)})
	}
}

// prepare takes a compiled schema, or refuses one in which not every step
// could be counted.
func (c *checker) prepare(schema *jsonschema.Schema) error {
	c.schema, c.quick = schema, &jsonschema.Schema{Not: schema}
	return panics.Catch("reading a tool's schema", func() error { return c.count(reflect.ValueOf(schema), map[*jsonschema.Schema]bool{}) })
}

// count gives every subschema a format that counts: the library asks it before it
// goes on to what is within a value. It looks at every exported field, so that a
// keyword which the library learns is counted too.
func (c *checker) count(value reflect.Value, seen map[*jsonschema.Schema]bool) error {
	switch value.Kind() {
	case reflect.Interface:
		return c.count(value.Elem(), seen)
	case reflect.Slice:
		for index := range value.Len() {
			if err := c.count(value.Index(index), seen); err != nil {
				return err
			}
		}
	case reflect.Map:
		for _, key := range value.MapKeys() {
			if err := c.count(value.MapIndex(key), seen); err != nil {
				return err
			}
		}
	case reflect.Pointer:
		schema, ok := reflect.TypeAssert[*jsonschema.Schema](value)
		if !ok || schema == nil || seen[schema] {
			return nil
		}
		seen[schema] = true
		return c.countIn(schema, seen)
	default: // holds no schema
	}
	return nil
}

func (c *checker) countIn(schema *jsonschema.Schema, seen map[*jsonschema.Schema]bool) error {
	switch {
	case schema.DynamicRef != nil || schema.RecursiveRef != nil:
		return errors.New("$dynamicRef and $recursiveRef are not accepted, because what they refer to is known too late: use $ref")
	case schema.ContentMediaType != nil || schema.ContentSchema != nil || schema.ContentEncoding != nil:
		return errors.New("encoded content is not checked: leave out contentEncoding, contentMediaType and contentSchema")
	}
	fields := reflect.ValueOf(schema).Elem()
	for index := range fields.NumField() {
		if !fields.Type().Field(index).IsExported() {
			continue
		}
		if err := c.count(fields.Field(index), seen); err != nil {
			return err
		}
	}
	schema.Format = c.counting(schema.Format)
	return nil
}

func (c *checker) counting(own *jsonschema.Format) *jsonschema.Format {
	if own == nil {
		own = &jsonschema.Format{Validate: func(any) error { return nil }}
	}
	return &jsonschema.Format{Name: own.Name, Validate: func(value any) error {
		c.step()
		return own.Validate(value)
	}}
}

// pattern is a regular expression of the schema's, tried within bounds.
type pattern struct {
	*regexp.Regexp
	checker *checker
}

// MatchString implements jsonschema.Regexp.
func (p *pattern) MatchString(text string) bool {
	if p.checker.ctx != nil { // else the schema itself is read
		p.checker.step()
	}
	if len(text) > maxMatched {
		panic(stopped{errTooLong})
	}
	return p.Regexp.MatchString(text)
}

func (c *checker) pattern(source string) (jsonschema.Regexp, error) {
	compiled, err := regexp.Compile(source)
	if err != nil {
		return nil, err
	}
	return &pattern{compiled, c}, nil
}
