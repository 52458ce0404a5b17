//! Tells dependents where the header is (`DEP_STRIDE_INCLUDE`), and the tests which target they are built for. Writes no
//! file.

fn main() {
    let variable = |name| std::env::var(name).unwrap_or_default();
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::metadata=include={}/include", variable("CARGO_MANIFEST_DIR"));
    println!("cargo::rustc-env=STRIDE_TARGET={}", variable("TARGET"));
    println!("cargo::rustc-env=STRIDE_HOST={}", variable("HOST"));
}
