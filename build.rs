//! Makes the module `messages` of the catalogs in `src/messages`.

use std::env;

fn main() -> Result<(), String> {
    // The two parts are made of the linker's relocations. Here and not in the flags of rustc, which would compile all crates
    // again.
    if env::var_os("CARGO_FEATURE_PARTS").is_some()
        && env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|arch| arch == "wasm32")
    {
        println!("cargo:rustc-link-arg-cdylib=--emit-relocs");
    }
    copydesk_catalog::generate()
}
