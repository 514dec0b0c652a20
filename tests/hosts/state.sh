# state.sh IMAGES RUNNER ARCH DIR makes DIR/disk: the state directory hotcell, with the
# newest image of the store IMAGES for the architecture.
images=$1 runner=$2 arch=$3 dir=$4

"$runner" image ls --state "$(dirname "$images")" | grep --quiet "^python-analysis  *$arch " ||
	{ echo "the store $images has no image for $arch: runner image build --arch $arch"; exit 1; }
mkdir "$dir/mounted"
size=$(du --summarize --block-size=1M "$images/blobs" | cut --fields=1)
truncate --size="$((size + 3072))M" "$dir/disk"
mke2fs -q -t ext4 "$dir/disk"
mount -o loop "$dir/disk" "$dir/mounted"
state=$dir/mounted/hotcell
mkdir -m 700 "$state" "$state/images"
for part in index.json oci-layout blobs bases; do cp -a "$images/$part" "$state/images/"; done
[ "$(dpkg --print-architecture)" != "$arch" ] || "$runner" image rootfs python-analysis --state "$state"
umount "$dir/mounted"
rmdir "$dir/mounted"
