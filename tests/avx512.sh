#!/usr/bin/env bash
# Test programs on a CPU with AVX-512, emulated: Bochs as an Ice Lake boots Debian's kernel for virtual machines with
# the programs in its first file system. For what is right, not for what is fast: 1 to 2 minutes to boot, and programs
# run some 200 times slower than here.
#
#   avx512.sh 'PROGRAM ARGUMENT...'...
#
#   cargo=(env RUSTFLAGS='-C target-feature=+crt-static' cargo test --target x86_64-unknown-linux-gnu)
#   "${cargo[@]}" --no-run --test kernels
#   STRIDE_SHARE=200 avx512.sh 'target/x86_64-unknown-linux-gnu/debug/deps/kernels-… between_pages::'
#
# Each argument is a statically linked Rust test program with its own arguments, which may hold no quotes. The programs
# get every STRIDE_… variable. They run one after the other, and one test at a time, with all that they print. Fails
# when a program does, when it ran no test, or when it left kernels out because the CPU lacks AVX-512.
#
# Works below target (CARGO_TARGET_DIR): avx512/serial is what the emulated machine says while it runs. After
# AVX512_MINUTES, 60 unless told, it is switched off. What cannot be had is printed as `skipped: what, why`.
set -euo pipefail
export LC_ALL=C # words of apt-cache are looked for

work=$(realpath -m "${CARGO_TARGET_DIR:-target}/avx512")
minutes=${AVX512_MINUTES:-60}
kernel=linux-image-cloud-amd64
flags='avx512f avx512bw avx512dq avx512vl avx512vbmi bmi2'
bios=/usr/share/bochs/BIOS-bochs-latest
vga_bios=/usr/share/vgabios/vgabios.bin
loader=(/usr/lib/ISOLINUX/isolinux.bin /usr/lib/syslinux/modules/bios/ldlinux.c32)

have() { command -v "$1" >/dev/null 2>&1; }
skip() {
    echo "skipped: AVX-512, $*"
    exit 0
}
fail() {
    echo "AVX-512: $*" >&2
    exit 1
}
[ $# != 0 ] || fail 'no program to run'
[ "$(uname -sm)" = 'Linux x86_64' ] || skip 'it is emulated on 64-bit Linux for Intel and AMD only'

# --- The emulator, a kernel, and a shell for it -----------------------------------------------------------------------

emulator() { have bochs && have xorriso && [ -f $bios ] && [ -f $vga_bios ] && [ -f "${loader[0]}" ] && [ -f "${loader[1]}" ]; }
installed() {
    emulator && return
    have apt-get || return 1
    # Some display is wanted; bochs-term is the smallest.
    apt-get update &&
        DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
            bochs bochs-term bochsbios vgabios isolinux syslinux-common xorriso && emulator
}
# Neither need be installed: unpacked into debian.
unpacked() {
    [ -f debian/unpacked ] && return
    rm -rf debian && mkdir debian && cd debian || return 1
    local name
    name=$(apt-cache depends $kernel | awk '/Depends: linux-image/ { print $2; exit }') && [ -n "$name" ] &&
        apt-get download "$name" busybox-static || return 1
    for name in *.deb; do dpkg-deb -x "$name" . || return 1; done
    rm -f ./*.deb && touch unpacked
}
mkdir -p "$work"
installed >"$work/log" 2>&1 || skip "Bochs or the tools for its disk cannot be installed: $(grep -m 1 '^E:' "$work/log")"
bochs --help cpu 2>&1 </dev/null | grep -x corei7_icelake_u >/dev/null || skip 'this Bochs has no CPU with it'
(cd "$work" && unpacked) >"$work/log" 2>&1 ||
    skip "Debian's kernel or busybox cannot be downloaded: $(grep -m 1 '^E:' "$work/log")"

# --- The disk ---------------------------------------------------------------------------------------------------------

rm -rf "$work"/{root,disk,disk.iso,serial,bochs.log}
mkdir -p "$work"/{root/bin,root/dev,root/proc,root/tests,disk}
cp "$work/debian/bin/busybox" "$work/root/bin"
{
    echo '#!/bin/busybox sh'
    echo '/bin/busybox mount -t proc proc /proc'
    echo '/bin/busybox mount -t devtmpfs devtmpfs /dev'
    echo '/bin/busybox grep -m 1 ^flags /proc/cpuinfo'
    echo 'cd /tests'
    for variable in ${!STRIDE_*}; do printf 'export %s=%q\n' "$variable" "${!variable}"; done
    number=0
    for command in "$@"; do
        read -r program arguments <<<"$command"
        [ -x "$program" ] || fail "there is no program $program"
        # Its interpreter is the dynamic linker.
        if readelf -l "$program" | grep -q INTERP; then fail "$program is not statically linked"; fi
        number=$((number + 1))
        strip -o "$work/root/tests/$number" "$program"
        echo "echo '-- $command'"
        echo "./$number $arguments --test-threads=1 --nocapture"
        echo "echo status $number: \$?"
    done
    # The last words take their time through the serial line.
    echo '/bin/busybox sleep 2'
    echo '/bin/busybox poweroff -f'
} >"$work/root/init"
chmod +x "$work/root/init"
(cd "$work/root" && find . | bin/busybox cpio -o -H newc 2>/dev/null) >"$work/disk/initrd"

cp "$work"/debian/boot/vmlinuz-* "$work/disk/kernel"
cp "${loader[@]}" "$work/disk"
# Not used: what Bochs 2.7 describes wrongly (where the state of protection keys lies, and the compact format of such
# states), and FSRM, which Linux takes for ERMS, as Bochs has it switched off.
cat >"$work/disk/isolinux.cfg" <<END
default avx512
prompt 0
label avx512
    kernel kernel
    append initrd=initrd console=ttyS0,115200 quiet panic=-1 nokaslr nosmp mitigations=off tsc=reliable tsc_early_khz=50000 clearcpuid=pku,xsaves,xsavec,fsrm
END
xorriso -as mkisofs -quiet -o "$work/disk.iso" -b isolinux.bin -c boot.cat -no-emul-boot -boot-load-size 4 \
    -boot-info-table "$work/disk" >"$work/log" 2>&1 || { cat "$work/log"; fail 'the disk cannot be made'; }

# --- The machine ------------------------------------------------------------------------------------------------------

# Its time goes by instructions. Switched off, it calls that a panic.
cat >"$work/bochsrc" <<END
cpu: model=corei7_icelake_u, count=1, ips=50000000, reset_on_triple_fault=0, ignore_bad_msrs=1
memory: guest=512, host=512
romimage: file=$bios, options=fastboot
vgaromimage: file=$vga_bios
ata0-master: type=cdrom, path=$work/disk.iso, status=inserted
boot: cdrom
com1: enabled=1, mode=file, dev=$work/serial
config_interface: textconfig
display_library: rfb, options="timeout=0"
plugin_ctrl: speaker=0, gameport=0
log: $work/bochs.log
panic: action=fatal
error: action=ignore
info: action=ignore
END
# Debian's Bochs has its debugger built in: `c` lets the machine go.
status=0
echo c | timeout "${minutes}m" bochs -f "$work/bochsrc" >"$work/log" 2>&1 || status=$?
[ -s "$work/serial" ] || { tail -n 20 "$work/log" && fail 'the machine said nothing'; }
said=$work/said
tr -d '\r' <"$work/serial" >"$said"
grep -v '^flags' "$said" || true
[ $status != 124 ] || fail "not done within $minutes minutes"

for flag in $flags; do
    grep -qE "^flags.* $flag( |$)" "$said" || fail "the machine has no $flag"
done
if grep -q 'needs AVX-512' "$said"; then fail 'kernels were left out'; fi
for number in $(seq $#); do
    grep -qx "status $number: 0" "$said" || fail "failed: ${!number}"
done
[ "$(grep -c '^test result: ok\. [1-9][0-9]* passed' "$said")" = $# ] || fail 'a program ran no test'
