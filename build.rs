//! Tells dependents where the header is (`DEP_STRIDE_INCLUDE`), the tests which target they are built for, and the
//! library whether its kernels for NEON go with that target (`stride_neon`). Writes no file.

fn main() {
    let variable = |name| std::env::var(name).unwrap_or_default();
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::metadata=include={}/include", variable("CARGO_MANIFEST_DIR"));
    println!("cargo::rustc-env=STRIDE_TARGET={}", variable("TARGET"));
    println!("cargo::rustc-env=STRIDE_HOST={}", variable("HOST"));
    // They make vectors of numbers, and hand them over in vector registers, which kernels of systems are built without.
    println!("cargo::rustc-check-cfg=cfg(stride_neon)");
    let has_neon = variable("CARGO_CFG_TARGET_FEATURE").split(',').any(|feature| feature == "neon");
    if variable("CARGO_CFG_TARGET_ARCH") == "aarch64" && variable("CARGO_CFG_TARGET_ENDIAN") == "little" && has_neon {
        println!("cargo::rustc-cfg=stride_neon");
    }
}
