# Every status on runc and Docker; the smoke has those of crun.
systemctl start containerd docker
gotest tests/integration -test.run '^TestEveryStatus$/^(oci-runc|docker)$'
