package kubernetes

import _ "embed"

// What runs in a pod besides the run, as texts for the image's interpreter: the one program
// that an image is sure to have, so that a node needs no other image.
var (
	//go:embed programs/init.py
	initProgram string
	//go:embed programs/enter.py
	enterProgram string
	//go:embed programs/keeper.py
	keeperProgram string
	//go:embed programs/wait.py
	waitProgram string
)

// python runs one of them: without the site's modules, the user's and the environment's.
func python(program string, arguments ...string) []string {
	return append([]string{"/usr/bin/python3", "-I", "-S", "-c", program}, arguments...)
}
