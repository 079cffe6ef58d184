//! The names of types and modules, and where each is defined.

use crate::modules::{attributes, collect, is_test};
use std::collections::BTreeMap;
use std::path::Path;
use syn::Item;

/// The files that define each name.
type Definitions = BTreeMap<String, Vec<String>>;

#[derive(Default)]
pub struct Names {
    pub types: Definitions,
    pub modules: Definitions,
}

impl Names {
    /// Adds the names of a crate. `name` is put before the paths of its files.
    pub fn read(&mut self, name: &str, folder: &Path) {
        let mut files = Vec::new();
        collect(folder, "", &mut files);
        for (file, text) in files {
            let parsed = syn::parse_file(&text).unwrap_or_else(|error| panic!("{file}: {error}"));
            self.add(&format!("{name}/{file}"), parsed.items);
        }
    }

    /// Adds the names of a file, and its own.
    pub fn add(&mut self, file: &str, items: Vec<Item>) {
        let path = file.strip_suffix(".rs").unwrap_or(file);
        let module = path.strip_suffix("/mod").unwrap_or(path).rsplit('/').next().unwrap_or_default();
        if !["lib", "main"].contains(&module) {
            self.modules.entry(module.to_owned()).or_default().push(file.to_owned());
        }
        self.add_types(file, items);
    }

    fn add_types(&mut self, file: &str, items: Vec<Item>) {
        for item in items.into_iter().filter(|item| !is_test(attributes(item))) {
            let name = match item {
                Item::Struct(one) => one.ident,
                Item::Enum(one) => one.ident,
                Item::Union(one) => one.ident,
                Item::Trait(one) => one.ident,
                Item::Type(one) => one.ident,
                Item::Mod(one) => {
                    self.add_types(file, one.content.map(|(_, items)| items).unwrap_or_default());
                    continue;
                }
                _ => continue,
            };
            self.types.entry(name.to_string()).or_default().push(file.to_owned());
        }
    }
}

/// Returns the names that are defined more than once.
pub fn repeated(definitions: &Definitions) -> BTreeMap<&str, &[String]> {
    let several = definitions.iter().filter(|(_, files)| files.len() > 1);
    several.map(|(name, files)| (name.as_str(), files.as_slice())).collect()
}
