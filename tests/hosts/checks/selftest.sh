# Containment on every engine, as a user proves it.
start-docker
for runtime in crun runc; do runner selftest --engine oci --runtime "$runtime"; done
runner selftest --engine docker
