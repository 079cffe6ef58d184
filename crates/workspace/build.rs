//! Makes the module `messages` of the catalogs in `src/messages`.

fn main() -> Result<(), String> {
    copydesk_catalog::generate()
}
