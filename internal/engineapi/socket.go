package engineapi

// What an engine has in its state directory.
const (
	SocketName = "engine.sock"
	LockName   = "engine.lock" // stays
)
