# -test.short leaves fifty OOM kills out, which take as many starts of a container. Of a
# daemon elsewhere nothing is read that differs between hosts, nor of eight sandboxes at
# once: an emulated processor may need more for them than the half minute that a daemon
# has to tell of an end.
start-docker
gotest internal/container/docker -test.short -test.skip '^TestBehaviourRemote$|TestBehaviour/lifecycle/many_sandboxes_at_once'
