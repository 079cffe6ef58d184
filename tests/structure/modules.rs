//! The modules of a crate, and which of them use which.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::path::Path;
use syn::visit::{self, Visit};
use syn::{Attribute, Item, UseTree, Visibility};

type ModulePath = Vec<String>;

/// A path that a file has, as the module that it is written in sees it.
type Found = (ModulePath, Vec<String>);

#[derive(Default)]
struct Module {
    file: String,
    /// The names that are defined here.
    defined: BTreeSet<String>,
    /// Names from elsewhere, with the paths that they represent.
    aliases: BTreeMap<String, Vec<String>>,
    /// Modules from which all names are here.
    globs: Vec<Vec<String>>,
}

pub struct Modules {
    modules: HashMap<ModulePath, Module>,
    /// The paths that are used, by the file.
    used: Vec<(String, Found)>,
}

impl Modules {
    /// Reads the sources of a crate.
    pub fn read(folder: &Path) -> Modules {
        let mut files = Vec::new();
        collect(folder, "", &mut files);
        let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        Modules::of(&files)
    }

    /// Reads files, given by their paths in `src`.
    pub fn of(files: &[(&str, &str)]) -> Modules {
        let mut modules = Modules { modules: HashMap::new(), used: Vec::new() };
        for (name, text) in files {
            let parsed = syn::parse_file(text).unwrap_or_else(|error| panic!("{name}: {error}"));
            modules.add(name, module_of(name), parsed.items);
        }
        modules
    }

    fn add(&mut self, file: &str, path: ModulePath, items: Vec<Item>) {
        let mut module = Module { file: file.to_owned(), ..Module::default() };
        for item in items {
            if is_test(attributes(&item)) {
                continue;
            }
            if let Some(name) = name_of(&item) {
                module.defined.insert(name);
            }
            match item {
                Item::Mod(inner) => {
                    if let Some((_, items)) = inner.content {
                        self.add(file, [&path[..], &[inner.ident.to_string()]].concat(), items);
                    }
                }
                Item::Use(one) => {
                    let is_public = !matches!(one.vis, Visibility::Inherited);
                    for (name, path_of) in paths_of(&one.tree) {
                        if !is_public {
                            self.used.push((file.to_owned(), (path.clone(), path_of.clone())));
                        }
                        // Modules inside may use a private one as well.
                        match name {
                            Some(name) => drop(module.aliases.insert(name, path_of)),
                            None => module.globs.push(path_of),
                        }
                    }
                }
                item => {
                    let mut paths = Paths(Vec::new());
                    paths.visit_item(&item);
                    self.used.extend(paths.0.into_iter().map(|used| (file.to_owned(), (path.clone(), used))));
                }
            }
        }
        self.modules.insert(path, module);
    }

    /// Returns the file that defines the item of a path.
    fn file_of(&self, (from, path): &Found, depth: usize) -> Option<&str> {
        let mut at: ModulePath = from.clone();
        let mut rest = &path[..];
        match rest.first()?.as_str() {
            "crate" => (at, rest) = (Vec::new(), &rest[1..]),
            "self" => rest = &rest[1..],
            "super" => {}
            // Another crate, or a name that is imported.
            first if !self.modules.contains_key(&child(from, first)) => return None,
            _ => {}
        }
        while rest.first().is_some_and(|part| part == "super") {
            at.pop();
            rest = &rest[1..];
        }
        while let Some(next) = rest.first().map(|name| child(&at, name)).filter(|next| self.modules.contains_key(next))
        {
            (at, rest) = (next, &rest[1..]);
        }
        let module = self.modules.get(&at)?;
        let Some(name) = rest.first().filter(|name| !module.defined.contains(*name) && depth > 0) else {
            return Some(&module.file);
        };
        let alias = module.aliases.get(name).map(|path| [path, &rest[1..]].concat());
        let of_glob = || {
            module.globs.iter().find_map(|glob| {
                let file = self.file_of(&(at.clone(), [&glob[..], rest].concat()), depth - 1)?;
                let target = self.modules.values().find(|module| module.file == file)?;
                target.defined.contains(name).then_some(file)
            })
        };
        match alias {
            Some(path) => self.file_of(&(at.clone(), path), depth - 1),
            None => of_glob().or(Some(&module.file)),
        }
    }

    /// Returns for each file those that it uses, with the last parts of the paths that say so.
    fn uses(&self) -> BTreeMap<&str, BTreeMap<&str, BTreeSet<&str>>> {
        let mut uses: BTreeMap<&str, BTreeMap<&str, BTreeSet<&str>>> = BTreeMap::new();
        for (file, found) in &self.used {
            if let Some(other) = self.file_of(found, 8).filter(|other| other != file) {
                let name = found.1.last().map_or("", String::as_str);
                uses.entry(file).or_default().entry(other).or_default().insert(name);
            }
        }
        uses
    }

    /// Returns the uses within a circle, a line each.
    pub fn ties(&self, circle: &[String]) -> Vec<String> {
        let is_in = |file: &str| circle.iter().any(|one| one == file);
        let uses = self.uses();
        let ties = uses.iter().filter(|(file, _)| is_in(file)).flat_map(|(file, others)| {
            let others = others.iter().filter(|(other, _)| is_in(other));
            others.map(move |(other, names)| {
                format!("  {file} uses of {other}: {}", names.iter().copied().collect::<Vec<_>>().join(", "))
            })
        });
        ties.collect()
    }

    /// Returns the circles of files, the largest first.
    pub fn circles(&self) -> Vec<Vec<String>> {
        let uses = self.uses();
        let reached = |from: &str| {
            let (mut seen, mut open) = (BTreeSet::new(), vec![from.to_owned()]);
            while let Some(file) = open.pop() {
                for next in uses.get(file.as_str()).into_iter().flat_map(BTreeMap::keys) {
                    if seen.insert((*next).to_owned()) {
                        open.push((*next).to_owned());
                    }
                }
            }
            seen
        };
        let all: BTreeMap<&str, BTreeSet<String>> = uses.keys().map(|file| (*file, reached(file))).collect();
        let mut circles = BTreeSet::new();
        for (file, reached) in &all {
            let circle: Vec<String> = reached
                .iter()
                .filter(|other| all.get(other.as_str()).is_some_and(|back| back.contains(*file)))
                .cloned()
                .collect();
            if circle.len() > 1 {
                circles.insert(circle);
            }
        }
        let mut circles: Vec<Vec<String>> = circles.into_iter().collect();
        circles.sort_by_key(|circle| std::cmp::Reverse(circle.len()));
        circles
    }
}

/// The paths in an item that begin at a module of the crate.
struct Paths(Vec<Vec<String>>);

impl<'ast> Visit<'ast> for Paths {
    fn visit_path(&mut self, path: &'ast syn::Path) {
        let parts: Vec<String> = path.segments.iter().map(|part| part.ident.to_string()).collect();
        if parts.len() > 1 {
            self.0.push(parts);
        }
        visit::visit_path(self, path);
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        self.0.extend(paths_of(&item.tree).into_iter().map(|(_, path)| path));
    }
}

pub fn collect(folder: &Path, prefix: &str, files: &mut Vec<(String, String)>) {
    let mut entries: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        let name = format!("{prefix}{}", path.file_name().unwrap().to_str().unwrap());
        if path.is_dir() {
            collect(&path, &format!("{name}/"), files);
        } else if name.ends_with(".rs") {
            files.push((name, fs::read_to_string(&path).unwrap()));
        }
    }
}

fn module_of(file: &str) -> ModulePath {
    let path = file.trim_end_matches(".rs");
    let path = path.strip_suffix("/mod").unwrap_or(path);
    if matches!(path, "lib" | "main") { Vec::new() } else { path.split('/').map(str::to_owned).collect() }
}

fn child(path: &[String], name: &str) -> ModulePath {
    [path, &[name.to_owned()]].concat()
}

/// Returns the paths of a `use`, each with the name that it has here; `None` for all names of a module.
fn paths_of(tree: &UseTree) -> Vec<(Option<String>, Vec<String>)> {
    match tree {
        UseTree::Path(path) => {
            let inside = paths_of(&path.tree).into_iter();
            inside.map(|(name, rest)| (name, [vec![path.ident.to_string()], rest].concat())).collect()
        }
        UseTree::Name(name) if name.ident == "self" => vec![(Some("self".into()), Vec::new())],
        UseTree::Name(name) => vec![(Some(name.ident.to_string()), vec![name.ident.to_string()])],
        UseTree::Rename(rename) => vec![(Some(rename.rename.to_string()), vec![rename.ident.to_string()])],
        UseTree::Glob(_) => vec![(None, Vec::new())],
        UseTree::Group(group) => group.items.iter().flat_map(paths_of).collect(),
    }
}

pub fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg") && attribute.parse_args::<syn::Ident>().is_ok_and(|ident| ident == "test")
    })
}

pub fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

fn name_of(item: &Item) -> Option<String> {
    let name = match item {
        Item::Const(item) => &item.ident,
        Item::Enum(item) => &item.ident,
        Item::Fn(item) => &item.sig.ident,
        Item::Mod(item) => &item.ident,
        Item::Static(item) => &item.ident,
        Item::Struct(item) => &item.ident,
        Item::Trait(item) => &item.ident,
        Item::Type(item) => &item.ident,
        Item::Macro(item) => item.ident.as_ref()?,
        _ => return None,
    };
    Some(name.to_string())
}
