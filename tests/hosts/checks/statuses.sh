# Every status on crun, runc and Docker.
systemctl start containerd docker
gotest tests/integration -test.run '^TestEveryStatus$'
