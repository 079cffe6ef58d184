//! The page's parser of HTML.
//!
//! A document that `DOMParser` makes is inert: it has no window, so it runs no script and loads nothing. HTML can name
//! an element so that it hides a property of its form or of the document (`<input name=attributes>`), so properties are
//! read as their prototype defines them (`final`).

use copydesk_base::host::html::HtmlAttribute;
use wasm_bindgen::prelude::*;
use web_sys::{Attr, DomParser, HtmlTemplateElement, NamedNodeMap, NodeList, SupportedType};

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_name = Document)]
    type InertDocument;

    #[wasm_bindgen(method, final, catch, js_class = "Document", js_name = querySelectorAll)]
    fn query_selector_all(this: &InertDocument, selectors: &str) -> Result<NodeList, JsValue>;

    #[wasm_bindgen(js_name = Element)]
    type InertElement;

    #[wasm_bindgen(method, final, getter, js_class = "Element", js_name = localName)]
    fn local_name(this: &InertElement) -> String;

    #[wasm_bindgen(method, final, getter, js_class = "Element")]
    fn attributes(this: &InertElement) -> NamedNodeMap;
}

/// Returns the attributes of all elements in the content of a body; none where the page forbids to parse a text.
pub fn attributes(html: &str) -> Option<Vec<HtmlAttribute>> {
    // As TipTap reads content: with a body before it, nothing can become a frame set.
    let html = ["<body>", html, "</body>"].concat();
    let document = DomParser::new().ok()?.parse_from_string(&html, SupportedType::TextHtml).ok()?;
    let mut found = Vec::new();
    let mut trees = vec![document.unchecked_ref::<InertDocument>().query_selector_all("*").ok()?];
    while let Some(elements) = trees.pop() {
        for node in (0..elements.length()).filter_map(|index| elements.item(index)) {
            let element: &InertElement = node.unchecked_ref();
            let name = element.local_name();
            let attributes = element.attributes();
            let each = (0..attributes.length()).filter_map(|index| attributes.item(index));
            found.extend(each.map(|attribute: Attr| HtmlAttribute {
                element: name.clone(),
                name: attribute.local_name(),
                value: attribute.value(),
            }));
            if name == "script" || name == "style" {
                let value = node.text_content().unwrap_or_default();
                found.push(HtmlAttribute { element: name, name: String::new(), value });
            } else if let Some(template) = node.dyn_ref::<HtmlTemplateElement>() {
                trees.push(template.content().query_selector_all("*").ok()?);
            }
        }
    }
    Some(found)
}
