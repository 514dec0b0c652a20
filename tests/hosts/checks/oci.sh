# What a caller's limits, signals and priorities come to is the same on every host, and
# takes a hundred sandboxes.
gotest internal/container/oci -test.skip 'GVisor|TestASandboxIsTheSameWhoeverStartsIt'
