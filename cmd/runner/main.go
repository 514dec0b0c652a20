// Command runner runs Python that nobody has reviewed, on data that must not leak, in
// an ephemeral container.
package main

import (
	"os"

	"hotcell/internal/source/parse"
)

func main() {
	if code, is := parse.IfChild(os.Args); is {
		os.Exit(code)
	}
	os.Exit(execute(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
