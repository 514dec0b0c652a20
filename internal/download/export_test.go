package download

import "time"

// Impatient makes options that wait for nothing.
func Impatient(options Options, idle time.Duration) Options {
	options.pause, options.idle = time.Millisecond, idle
	return options
}
