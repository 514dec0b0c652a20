systemctl start containerd docker
gotest internal/container/docker
