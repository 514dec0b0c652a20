package httpapi

import (
	"maps"
	"reflect"
	"slices"
	"strings"

	"hotcell/internal/strictjson"
)

// unlike is what is said of a body that is not what it should be, with the names that are known
// where it has others.
func unlike(text []byte, into any, err error) error {
	said, known := err.Error(), namesOf(into)
	isUnknown := func(name string) bool { return !slices.Contains(known, name) }
	if slices.ContainsFunc(slices.Collect(maps.Keys(strictjson.Members(text))), isUnknown) {
		said += ": known are " + strings.Join(known, ", ")
	}
	return refuse(wordBadRequest, detail(wordBadRequest, said))
}

// namesOf are the members of the struct that a pointer is to.
func namesOf(into any) (names []string) {
	of := reflect.TypeOf(into)
	if of.Kind() != reflect.Pointer || of.Elem().Kind() != reflect.Struct {
		return nil
	}
	for field := range of.Elem().Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		names = append(names, name)
	}
	return names
}
