//! Tells dependents where the header is (`DEP_STRIDE_INCLUDE`), the tests which target they are built for, and the
//! library whether its kernels for NEON go with that target (`stride_neon`). Writes no file.

fn main() {
    let variable = |name| std::env::var(name).unwrap_or_default();
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::metadata=include={}/include", variable("CARGO_MANIFEST_DIR"));
    println!("cargo::rustc-env=STRIDE_TARGET={}", variable("TARGET"));
    println!("cargo::rustc-env=STRIDE_HOST={}", variable("HOST"));
    println!("cargo::rustc-check-cfg=cfg(stride_neon)");
    let (arch, features) = (variable("CARGO_CFG_TARGET_ARCH"), variable("CARGO_CFG_TARGET_FEATURE"));
    let has = |wanted: &str| features.split(',').any(|feature| feature == wanted);
    // They make vectors of numbers, and hand them over in vector registers, which kernels of systems are built without.
    if arch == "aarch64" && variable("CARGO_CFG_TARGET_ENDIAN") == "little" && has("neon") {
        println!("cargo::rustc-cfg=stride_neon");
    }
}
