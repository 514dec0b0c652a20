gotest internal/container/cgroup
