//! Attributes that extensions add to types which others define: `textAlign` of TipTap's TextAlign extension, ids, and
//! an app's own.
//!
//! TipTap reads and writes an attribute without a rule of its own as the attribute of that name in HTML; so does this.

use crate::attrs::Attrs;
#[cfg(feature = "html")]
use crate::html::Element;
use crate::html::Writer;
use serde_json::Value;
use std::sync::Arc;

/// The attribute of TextAlign, a declaration of the element's style.
const TEXT_ALIGN: &str = "textAlign";
const ALIGNMENTS: [&str; 4] = ["left", "center", "right", "justify"];

/// Returns the value that an element states for an attribute for which the type has no reader.
#[cfg(feature = "html")]
pub(crate) fn read(element: &Element<'_>, name: &str) -> Option<Value> {
    if name != TEXT_ALIGN {
        return element.value(name);
    }
    let style = element.style();
    ALIGNMENTS.contains(&style.text_align()).then(|| style.text_align().into())
}

/// Adds the attributes that a type has beside its own to the start tag that was written at `start`.
pub(crate) fn write(writer: &mut Writer<'_>, start: usize, attrs: &Attrs, added: &[Arc<str>]) {
    if added.is_empty() {
        return;
    }
    let is_added = |name: &str| added.iter().any(|one| **one == *name);
    let given: Vec<(&str, &Value)> = attrs.iter().filter(|(name, value)| !value.is_null() && is_added(name)).collect();
    let alignment = given.iter().find(|(name, _)| *name == TEXT_ALIGN).and_then(|(_, value)| value.as_str());
    let alignment = alignment.filter(|alignment| ALIGNMENTS.contains(alignment));
    let style = alignment.map_or_else(String::new, |alignment| format!("text-align: {alignment};"));
    let plain: Vec<_> = given.into_iter().filter(|(name, _)| *name != TEXT_ALIGN).collect();
    if !plain.is_empty() || !style.is_empty() {
        writer.add_to_tag(start, &plain, &style);
    }
}
