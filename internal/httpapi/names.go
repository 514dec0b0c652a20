package httpapi

import (
	"reflect"
	"strings"

	"hotcell/internal/strictjson"
)

// unlike is what is said of a body that is not what it should be, with the names that are known
// where it has others.
func unlike(text []byte, into any, err error) error {
	said := err.Error()
	if known := knownAt(text, reflect.TypeOf(into).Elem()); known != nil {
		said += ": known are " + strings.Join(known, ", ")
	}
	return refuse(wordBadRequest, detail(wordBadRequest, said))
}

// knownAt are the names of the outermost object that has another one, or nil.
func knownAt(text []byte, of reflect.Type) (known []string) {
	if of.Kind() != reflect.Struct {
		return nil
	}
	within := map[string]reflect.Type{}
	for field := range of.Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		known, within[name] = append(known, name), field.Type
	}
	members := strictjson.Members(text)
	for name := range members {
		if within[name] == nil {
			return known
		}
	}
	for _, name := range known {
		if found := knownAt(members[name], within[name]); found != nil {
			return found
		}
	}
	return nil
}
