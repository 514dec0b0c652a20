# What a caller's limits, signals and priorities come to is the same on every host, and
# takes a hundred sandboxes; twenty at once are more than an emulated processor starts in
# the time that a start may take.
gotest internal/container/oci -test.skip 'GVisor|TestASandboxIsTheSameWhoeverStartsIt|TestTwentyAtOnce'
