//! The measurements of `stride tune`: benches/tune.c, built into the tool on Linux. `cfg(stride_tune)` says that it is.

fn main() {
    println!("cargo::rustc-check-cfg=cfg(stride_tune)");
    println!("cargo::rerun-if-changed=build.rs");
    for file in ["tune.c", "bench.h"] {
        println!("cargo::rerun-if-changed=../benches/{file}");
    }
    println!("cargo::rerun-if-changed=../include/stride.h");
    if std::env::var("CARGO_CFG_TARGET_OS").as_deref() != Ok("linux") {
        return;
    }
    let built = cc::Build::new()
        .file("../benches/tune.c")
        .includes(["../include", "../benches"])
        .define("main", "stride_tune_main")
        .std("gnu11")
        .opt_level(2)
        .try_compile("stride_tune");
    match built {
        Ok(()) => {
            println!("cargo::rustc-cfg=stride_tune");
            println!("cargo::rustc-link-lib=m");
        }
        Err(error) => println!("cargo::warning=without `stride tune`, which needs a C compiler: {error}"),
    }
}
