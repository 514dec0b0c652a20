// Command pause is the first process of every pod: it holds the pod's namespaces, takes
// leave of orphans, and ends when it is told to. Of images, a cluster cannot do without
// this one.
package main

import (
	"os"
	"os/signal"
	"syscall"
)

func main() {
	received := make(chan os.Signal, 8)
	signal.Notify(received, syscall.SIGINT, syscall.SIGTERM, syscall.SIGCHLD)
	for each := range received {
		if each != syscall.SIGCHLD {
			return
		}
		for {
			if pid, err := syscall.Wait4(-1, nil, syscall.WNOHANG, nil); pid <= 0 || err != nil {
				break
			}
		}
	}
}
