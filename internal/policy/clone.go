package policy

import "reflect"

// Clone returns a Policy that shares no memory with this one, so that nobody who keeps one
// of the two can change what the other allows.
func (p Policy) Clone() Policy { return clone(reflect.ValueOf(p)).Interface().(Policy) }

// clone goes through whatever a Policy is made of, also the fields that it will have.
func clone(value reflect.Value) reflect.Value {
	copied := reflect.New(value.Type()).Elem()
	switch value.Kind() {
	case reflect.Struct:
		for index := range value.NumField() {
			copied.Field(index).Set(clone(value.Field(index)))
		}
		return copied
	case reflect.Slice, reflect.Map, reflect.Pointer, reflect.Interface:
		if value.IsNil() {
			return value
		}
	default:
		return value
	}
	switch value.Kind() {
	case reflect.Slice:
		copied.Set(reflect.MakeSlice(value.Type(), value.Len(), value.Len()))
		for index := range value.Len() {
			copied.Index(index).Set(clone(value.Index(index)))
		}
	case reflect.Map:
		copied.Set(reflect.MakeMapWithSize(value.Type(), value.Len()))
		for key, member := range value.Seq2() {
			copied.SetMapIndex(key, clone(member))
		}
	case reflect.Pointer:
		copied.Set(reflect.New(value.Type().Elem()))
		copied.Elem().Set(clone(value.Elem()))
	default:
		copied.Set(clone(value.Elem()))
	}
	return copied
}
