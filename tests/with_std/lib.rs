pub use stride::ffi;
