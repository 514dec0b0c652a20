package container

import "context"

type queueTeller struct{}

// WhileQueued is a context for Engine.Create and what calls it: tell hears when the sandbox waits in
// a queue that is not this host's, by the queue's name, and "" once it waits there no more. It is
// called by the goroutine that makes the sandbox, and never after Create has returned.
func WhileQueued(ctx context.Context, tell func(queue string)) context.Context {
	return context.WithValue(ctx, queueTeller{}, tell)
}

// TellQueued is for engines: it tells who asked to hear it (WhileQueued), or nobody.
func TellQueued(ctx context.Context, queue string) {
	if tell, asked := ctx.Value(queueTeller{}).(func(string)); asked {
		tell(queue)
	}
}
