//! The page's parser of HTML.
//!
//! A document that `DOMParser` makes is inert: it has no window, so it runs no script and loads nothing.

use copydesk_base::host::html::HtmlAttribute;
use wasm_bindgen::prelude::*;
use web_sys::{Document, DomParser, Element, HtmlTemplateElement, Node, SupportedType};

/// `NodeFilter.SHOW_ELEMENT`.
const SHOW_ELEMENT: u32 = 1;

/// Returns the attributes of all elements in the content of a body; `None` if the page forbids parsing.
pub fn attributes(html: &str) -> Option<Vec<HtmlAttribute>> {
    // As TipTap parses content: after a body tag nothing can become a frame set.
    read(&["<body>", html, "</body>"].concat()).ok()
}

/// Elements can shadow properties of their form or document by their names (`<input name=attributes>`, `<img
/// name=createTreeWalker>`). So the tree walker belongs to an empty document, and each element is cloned without its
/// children.
fn read(html: &str) -> Result<Vec<HtmlAttribute>, JsValue> {
    let parser = DomParser::new()?;
    let empty = parser.parse_from_string("", SupportedType::TextHtml)?;
    let mut found = Vec::new();
    let mut roots: Vec<Node> = vec![parser.parse_from_string(html, SupportedType::TextHtml)?.into()];
    while let Some(root) = roots.pop() {
        let walker = empty.create_tree_walker_with_what_to_show(&root, SHOW_ELEMENT)?;
        while let Some(node) = walker.next_node()? {
            read_element(&node, &empty, &mut found)?;
            if let Some(template) = node.dyn_ref::<HtmlTemplateElement>() {
                roots.push(template.content().into());
            }
        }
    }
    Ok(found)
}

fn read_element(node: &Node, empty: &Document, found: &mut Vec<HtmlAttribute>) -> Result<(), JsValue> {
    let copy: Element = empty.import_node_with_deep(node, false)?.unchecked_into();
    let element = copy.local_name();
    let attributes = copy.attributes();
    for attribute in (0..attributes.length()).filter_map(|index| attributes.item(index)) {
        let (name, value) = (attribute.local_name(), attribute.value());
        found.push(HtmlAttribute { element: element.clone(), name, value });
    }
    if element == "script" || element == "style" {
        // Its own text, without that of child elements, which SVG allows.
        let children = std::iter::successors(node.first_child(), Node::next_sibling);
        let texts = children.filter(|child| child.node_type() == Node::TEXT_NODE);
        let value = texts.filter_map(|text| text.node_value()).collect();
        found.push(HtmlAttribute { element, name: String::new(), value });
    }
    Ok(())
}
