# -test.short leaves fifty OOM kills out, which take as many starts of a container.
systemctl start containerd docker
gotest internal/container/docker -test.short
