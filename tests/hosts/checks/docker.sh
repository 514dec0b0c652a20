# -test.short leaves fifty OOM kills out, which take as many starts of a container.
start-docker
gotest internal/container/docker -test.short
