# Every status on runc and Docker; the smoke has those of crun.
start-docker
gotest tests/integration -test.run '^TestEveryStatus$/^(oci-runc|docker)$'
