# -test.short leaves fifty OOM kills out, which take as many starts of a container. Of a
# daemon elsewhere nothing is read that differs between hosts.
start-docker
gotest internal/container/docker -test.short -test.skip '^TestBehaviourRemote$'
