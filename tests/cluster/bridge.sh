#!/bin/sh
# The plugin bridge, in the pods' own network: what it makes, the machine's does not have, and
# neither does another cluster's. No pod reaches the machine, and no pod is reached from it.
exec nsenter --net=@STATE@/pods.net @STATE@/plugins.built/bridge
