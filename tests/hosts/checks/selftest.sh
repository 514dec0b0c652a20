# Containment on every engine, as a user proves it: of the container alone, for the
# scripts that try the guard are vetted on every host by the same code. An emulated
# processor has no time for all probes on each engine: they are dealt out among them.
start-docker
n=0
for engine in "oci --runtime crun" "oci --runtime runc" docker; do
	n=$((n + 1))
	probes=$(cd /share/source/attacks/probes && ls -- *.py | sed 's/\.py$//' | awk -v n=$n 'NR % 3 == n % 3' | paste -sd,)
	# shellcheck disable=SC2086
	runner selftest --policy selftest-probe --allow-unguarded --engine $engine --only "$probes"
done
