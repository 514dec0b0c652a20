package httpapi

import (
	"context"
	"net/http"

	"hotcell/internal/access"
	"hotcell/internal/job"
)

// asked is a method of a Backend's that is about one run or session.
type asked[T any] func(ctx context.Context, by access.Principal, id job.ID) (T, error)

// answerFor answers with what a method says of the run or session of the path.
func answerFor[T any](c *call, status int, do asked[T]) error {
	id, err := c.runID()
	if err != nil {
		return err
	}
	return c.tell(status, func(ctx context.Context) (any, error) { return do(ctx, c.by, id) })
}

// answerAll answers with what a method says that is about nothing in particular.
func answerAll[T any](c *call, do func(ctx context.Context) (T, error)) error {
	value, err := do(c.r.Context())
	if err != nil {
		return err
	}
	return c.json(http.StatusOK, value)
}

// answerNamed answers with what a method says of what the path names.
func answerNamed[T any](c *call, parameter string, do func(ctx context.Context, name string) (T, error)) error {
	name := c.r.PathValue(parameter)
	if len(name) > maxReference {
		return refuse(wordNotFound, "there is nothing of this name")
	}
	value, err := do(c.r.Context(), name)
	if err != nil {
		return err
	}
	return c.json(http.StatusOK, value)
}

// maxReference is of a name in a path: a digest has 71 characters, name@version at most as
// many as both.
const maxReference = 300
