#!/bin/sh
# A network without a network, as a CNI plugin: it makes no interface. The address that it tells
# is a label for the kubelet (198.18.0.0/15, RFC 2544): no interface has it.
case "$CNI_COMMAND" in
VERSION) echo '{"cniVersion": "1.0.0", "supportedVersions": ["0.3.1", "0.4.0", "1.0.0"]}'; exit ;;
DEL | CHECK) exit ;;
esac
sum=$(printf %s "$CNI_CONTAINERID" | cksum)
sum=${sum%% *}
printf '{"cniVersion": "1.0.0", "interfaces": [{"name": "%s", "sandbox": "%s"}], "ips": [{"address": "198.19.%s.%s/32", "interface": 0}], "dns": {}}\n' \
	"$CNI_IFNAME" "$CNI_NETNS" $((sum / 256 % 256)) $((1 + sum % 254))
