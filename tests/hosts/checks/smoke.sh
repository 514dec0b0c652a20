# Every status where the kernel's own counters tell it, on crun: Docker's copy of the
# image alone would take minutes.
gotest tests/integration -test.run '^TestEveryStatus$/^oci-crun$'

# A sandbox that was ready before, where one hierarchy of control groups has all controllers and
# the freezer.
gotest tests/integration -test.run '^TestForksOfOneTemplateDrawOtherNumbers$'
