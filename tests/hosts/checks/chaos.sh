# Runners that are killed at any moment, and the next one that sweeps.
start-docker
gotest tests/integration -test.run 'Kill|Sweep' -test.skip '/oci-runsc$' -chaos.rounds 6
