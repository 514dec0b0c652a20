package bundle

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"hotcell/internal/table"
)

// ColumnDifference is what one column of a table is otherwise. One that only one of two
// tables has differs as a whole.
type ColumnDifference struct {
	Column string `json:"column"` // "" for what is of all columns
	In     string `json:"in"`     // the member of its field that differs, "order" of the columns, or "" for the whole column
	First  string `json:"first"`  // "" where it is not there
	Second string `json:"second"`
}

// compareSchemas tells what a second table's columns are otherwise, in the order of the first.
func compareSchemas(first, second *table.Schema) []ColumnDifference {
	before, after := schemaOf(first), schemaOf(second)
	found := []ColumnDifference{}
	var left, right []string // names of columns that both have
	for _, field := range before.Fields {
		other, stays := fieldOf(after, field.Name)
		if !stays {
			found = append(found, ColumnDifference{field.Name, "", typeWords(field), ""})
			continue
		}
		left = append(left, field.Name)
		found = append(found, compareFields(field, other)...)
	}
	for _, field := range after.Fields {
		if _, was := fieldOf(before, field.Name); was {
			right = append(right, field.Name)
			continue
		}
		found = append(found, ColumnDifference{field.Name, "", "", typeWords(field)})
	}
	if !slices.Equal(left, right) {
		found = append(found, ColumnDifference{"", "order", strings.Join(left, ", "), strings.Join(right, ", ")})
	}
	if first != nil && second != nil && !slices.Equal(before.MissingValues, after.MissingValues) {
		found = append(found, ColumnDifference{"", "missingValues", quotedList(before.MissingValues), quotedList(after.MissingValues)})
	}
	return found
}

func schemaOf(given *table.Schema) table.Schema {
	if given == nil {
		return table.Schema{}
	}
	return *given
}

func fieldOf(schema table.Schema, name string) (table.Field, bool) {
	at := slices.IndexFunc(schema.Fields, func(field table.Field) bool { return field.Name == name })
	if at < 0 {
		return table.Field{}, false
	}
	return schema.Fields[at], true
}

func typeWords(field table.Field) string { return fmt.Sprintf("%s %s", field.Type, field.Pandas) }

// compareFields looks at every member, also at those that come to Field later.
func compareFields(first, second table.Field) []ColumnDifference {
	var found []ColumnDifference
	a, b := reflect.ValueOf(first), reflect.ValueOf(second)
	for index := range a.NumField() {
		left, right := a.Field(index).Interface(), b.Field(index).Interface()
		if reflect.DeepEqual(left, right) {
			continue
		}
		name, _, _ := strings.Cut(a.Type().Field(index).Tag.Get("json"), ",")
		one := ColumnDifference{Column: first.Name, In: name, First: fmt.Sprint(left), Second: fmt.Sprint(right)}
		before, isList := left.([]string)
		after, _ := right.([]string)
		switch {
		case name == "categories":
			one.First, one.Second = categoriesOf(before, after)
		case isList:
			one.First, one.Second = quotedList(before), quotedList(after)
		}
		found = append(found, one)
	}
	return found
}

// quotedList is a list of texts as a person tells them apart. nil is none of one's own.
func quotedList(texts []string) string {
	if texts == nil {
		return ""
	}
	quoted := make([]string, len(texts))
	for at, text := range texts {
		quoted[at] = fmt.Sprintf("%q", text)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

// categoriesOf counts them: they are values of the data, and may be a million.
func categoriesOf(before, after []string) (first, second string) {
	had := make(map[string]bool, len(before))
	for _, one := range before {
		had[one] = true
	}
	stayed := 0
	for _, one := range after {
		if had[one] {
			stayed++
		}
	}
	first, second = strconv.Itoa(len(before)), strconv.Itoa(len(after))
	if added, gone := len(after)-stayed, len(before)-stayed; added+gone > 0 {
		return first, fmt.Sprintf("%s (%d new, %d gone)", second, added, gone)
	}
	return first, second + " in another order"
}
