#!/bin/sh
# The pods' network, as a CNI plugin: loopback and nothing else. The address that it tells is
# a label for the kubelet (198.18.0.0/15, RFC 2544): no interface has it.
case "$CNI_COMMAND" in
VERSION) echo '{"cniVersion": "1.0.0", "supportedVersions": ["0.3.1", "0.4.0", "1.0.0"]}'; exit ;;
DEL | CHECK) exit ;;
esac
if ! nsenter --net="$CNI_NETNS" ip link set lo up; then
	echo '{"cniVersion": "1.0.0", "code": 100, "msg": "loopback cannot be set up"}'
	exit 1
fi
address=127.0.0.1/8
if [ "$CNI_IFNAME" != lo ]; then
	sum=$(printf %s "$CNI_CONTAINERID" | cksum)
	sum=${sum%% *}
	address=198.$((18 + sum / 65536 % 2)).$((sum / 256 % 256)).$((1 + sum % 254))/32
fi
printf '{"cniVersion": "1.0.0", "interfaces": [{"name": "%s", "sandbox": "%s"}], "ips": [{"address": "%s", "interface": 0}], "dns": {}}\n' \
	"$CNI_IFNAME" "$CNI_NETNS" "$address"
