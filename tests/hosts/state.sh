# state.sh IMAGES RUNNER ARCH DIR makes DIR/disk: the state directory hotcell, with the
# newest image of the store IMAGES for the architecture, unpacked and verified. One for
# another architecture can be verified here, but the runner unpacks it for no run.
images=$1 runner=$2 arch=$3 dir=$4

digest=$("$runner" image ls --state "$(dirname "$images")" | awk -v arch="$arch" '$1 == "python-analysis" && $2 == arch { newest = $3 } END { print newest }')
[ -n "$digest" ] || { echo "the store $images has no image for $arch: runner image build --arch $arch"; exit 1; }
blob() { echo "$images/blobs/sha256/${1#sha256:}"; }

mkdir "$dir/mounted"
truncate --size="$(($(du --summarize --block-size=1M "$images/blobs" | cut --fields=1) + 3072))M" "$dir/disk"
mke2fs -q -t ext4 "$dir/disk"
mount -o loop "$dir/disk" "$dir/mounted"
state=$dir/mounted/hotcell rootfs=$dir/mounted/hotcell/images/rootfs/${digest#sha256:}
mkdir -m 700 "$state" "$state/images" "$state/images/rootfs"
mkdir "$rootfs"
for part in index.json oci-layout blobs bases; do cp -a "$images/$part" "$state/images/"; done
# The manifest's first digest is the configuration's.
for layer in $(grep --only-matching '"digest": *"sha256:[0-9a-f]*"' "$(blob "$digest")" | grep --only-matching 'sha256:[0-9a-f]*' | tail --lines=+2); do
	tar --extract --file "$(blob "$layer")" --directory "$rootfs" --numeric-owner --same-permissions --same-owner
done
"$runner" image verify "$digest" --state "$state"
umount "$dir/mounted"
rmdir "$dir/mounted"
