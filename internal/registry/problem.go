package registry

import (
	"net/http"

	"hotcell/internal/strictjson"
)

// problem is an error as the specification has it.
type problem struct {
	Errors []problemEntry `json:"errors"`
}

type problemEntry struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

// tell answers with an error. Both texts are ours: nothing that a client has sent is in them.
func tell(w http.ResponseWriter, status int, code, message string) {
	text, err := strictjson.Encode(problem{[]problemEntry{{code, message}}})
	if err != nil {
		panic(err) // of two strings
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(append(text, '\n')) // a client that has gone
}
