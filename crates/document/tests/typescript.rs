//! The traits of node types, as a table for TypeScript.

#![allow(clippy::unwrap_used, clippy::expect_used, missing_docs)]

use copydesk_document::{NodeTrait, nodes_with};
use copydesk_test_support::typescript::check_module;

const HEAD: &str = "\
/**
 * The types of nodes with each trait, by all their names. `COPYDESK_UPDATE=1 cargo test --test typescript` writes this module
 * from `NODES` of crates/document.
 */

export const NODE_TYPES = {
";

#[test]
fn the_table_of_the_package_has_the_traits_of_the_node_types() {
    let mut text = HEAD.to_owned();
    for wanted in NodeTrait::ALL {
        let name = match wanted {
            NodeTrait::List => "list",
            NodeTrait::Item => "item",
            NodeTrait::Cell => "cell",
            NodeTrait::Raw => "raw",
            NodeTrait::Inline => "inline",
            NodeTrait::LineBreak => "lineBreak",
        };
        let names: Vec<String> = nodes_with(wanted).map(|name| format!("\"{name}\"")).collect();
        let line = format!("  {name}: [{}],\n", names.join(", "));
        // As prettier breaks it.
        let is_long = line.trim_end().len() > 120;
        text += &if is_long { format!("  {name}: [\n    {},\n  ],\n", names.join(",\n    ")) } else { line };
    }
    check_module("document/node-table.ts", &(text + "} as const;\n"));
}
