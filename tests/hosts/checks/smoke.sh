# Every status where the kernel's own counters tell it, on crun: Docker's copy of the
# image alone would take minutes.
gotest tests/integration -test.run '^TestEveryStatus$/^oci-crun$'
