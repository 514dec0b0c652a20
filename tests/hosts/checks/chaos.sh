# Runners that are killed at any moment, and the next one that sweeps.
systemctl start containerd docker
gotest tests/integration -test.run 'Kill|Sweep' -chaos.rounds 9
