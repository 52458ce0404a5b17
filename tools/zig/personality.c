// A symbol that Rust's compiler runtime mentions and nothing calls; it stays inside the library (see cc).
__attribute__((visibility("hidden"))) void rust_eh_personality(void) {}
