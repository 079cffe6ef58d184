//! The meaning of elements: the parse rules of the types that a schema has.

use super::dom::{Dom, DomId};
use super::javascript::{from_string, is_space};
use super::parse::MarkList;
use super::style::InlineStyle;
use crate::attrs::Attrs;
use crate::global_attrs;
use crate::mark::Mark;
use crate::marks::{self, Styled};
use crate::node::Node;
use crate::nodes::{self, Tables};
use crate::schema::{MarkTypeId, NodeTypeId, Schema};
use rustc_hash::FxHashMap;
use serde_json::Value;

/// An element that means a type of nodes or marks.
pub(crate) struct TagRule {
    name: &'static str,
    is_first: bool,
    is_passing: bool,
    matches: fn(&Element<'_>) -> bool,
}

impl TagRule {
    /// The elements of a name.
    pub(crate) const fn named(name: &'static str) -> TagRule {
        TagRule { name, is_first: false, is_passing: false, matches: |_| true }
    }

    /// Those of them that fulfil a condition.
    pub(crate) const fn when(self, matches: fn(&Element<'_>) -> bool) -> TagRule {
        TagRule { matches, ..self }
    }

    /// Returns the rule with precedence over those of other types.
    pub(crate) const fn first(self) -> TagRule {
        TagRule { is_first: true, ..self }
    }

    /// Returns the rule of a mark after which the others are asked as well (`consuming: false`).
    pub(crate) const fn passing(self) -> TagRule {
        TagRule { is_passing: true, ..self }
    }
}

/// An element as the definitions of types see it.
pub(crate) struct Element<'a> {
    pub(crate) dom: &'a Dom,
    pub(crate) id: DomId,
    pub(crate) tables: &'a mut Tables,
}

impl<'a> Element<'a> {
    /// Returns the local name.
    pub(crate) fn name(&self) -> &'a str {
        self.dom.name(self.id).unwrap_or_default()
    }

    /// Returns the value of an attribute.
    pub(crate) fn attribute(&self, name: &str) -> Option<&'a str> {
        self.dom.attribute(self.id, name)
    }

    /// Returns the value of an attribute as it is written.
    pub(crate) fn verbatim(&self, name: &str) -> Option<Value> {
        self.attribute(name).map(Value::from)
    }

    /// Returns whether the element is of an extension's type by its `data-type`.
    pub(crate) fn is_of_type(&self, name: &str) -> bool {
        self.attribute("data-type") == Some(name)
    }

    /// Returns the value of an attribute as TipTap reads one that has no rule of its own.
    pub(crate) fn value(&self, name: &str) -> Option<Value> {
        if !self.dom.has_attributes(self.id) {
            return None;
        }
        self.attribute(&name.to_ascii_lowercase()).map(from_string)
    }

    /// Returns the inline style.
    pub(crate) fn style(&self) -> InlineStyle {
        self.attribute("style").map(InlineStyle::parse).unwrap_or_default()
    }

    /// Returns the value of a CSS property as the `style` attribute has it.
    pub(crate) fn style_text(&self, property: &str) -> Option<&'a str> {
        style_text(self.dom, self.id, property)
    }

    /// Returns that value of the element, or of the nearest element of the same name around it that has one.
    pub(crate) fn merged_style_text(&self, property: &str) -> Option<&'a str> {
        self.and_around(self.name()).find_map(|id| style_text(self.dom, id, property))
    }

    /// Returns whether an element of a name that has an attribute is around this one.
    pub(crate) fn is_inside(&self, name: &str, attribute: &str) -> bool {
        self.and_around(name).any(|id| id != self.id && self.dom.attribute(id, attribute).is_some())
    }

    /// Returns those of a name among the element and the elements around it, from the inside out.
    fn and_around(&self, name: &str) -> impl Iterator<Item = DomId> {
        /// The number of ancestors that are searched.
        const DEEPEST: usize = 100;
        let all = std::iter::successors(Some(self.id), |id| self.dom.parent(*id)).take(DEEPEST);
        all.filter(move |id| self.dom.is_html(*id, name))
    }

    /// Returns the values of the attributes of a type from the element.
    fn values<'n>(
        &mut self,
        names: impl Iterator<Item = (&'n str, &'n Value)>,
        readers: &[AttrReader],
    ) -> Vec<(String, Value)> {
        let mut values = Vec::new();
        for (name, _) in names {
            let value = match readers.iter().find(|(known, _)| *known == name) {
                Some((_, read)) => read(self),
                None => global_attrs::read(self, name),
            };
            values.extend(value.map(|value| (name.to_owned(), value)));
        }
        values
    }
}

/// Returns the last value of a CSS property in a `style` attribute, as it is written there.
fn style_text<'a>(dom: &'a Dom, element: DomId, property: &str) -> Option<&'a str> {
    let declarations =
        dom.attribute(element, "style")?.rsplit(';').filter_map(|declaration| declaration.split_once(':'));
    let mut values = declarations.map(|(name, value)| (name.trim_matches(is_space), value.trim_matches(is_space)));
    values.find_map(|(name, value)| name.eq_ignore_ascii_case(property).then_some(value))
}

/// The name of an attribute of a type, and the function that reads its value from an element; `None` if the element
/// does not state it.
pub(crate) type AttrReader = (&'static str, fn(&mut Element<'_>) -> Option<Value>);

/// Returns the effect of a style on a type of marks.
pub(crate) type StyleReader = fn(&InlineStyle) -> Styled;

/// The meaning of an element.
pub(super) enum Meaning {
    /// A node of a type, with what its attributes say; its content is the element's, or another element's.
    Node { kind: NodeTypeId, given: Vec<(String, Value)>, content: Content },
    /// A mark on the content.
    Mark(Mark),
}

/// The source of the content of a node.
pub(crate) enum Content {
    /// From an element's children.
    Of(DomId),
    /// From an element's children, every space and newline kept.
    Verbatim(DomId),
    /// From no element: the content that the schema requires.
    Filled(Vec<Node>),
}

/// The parse rules of a schema: those of the types that copydesk knows, as far as it has them.
pub(crate) struct ParseRules {
    by_tag: FxHashMap<&'static str, Vec<ParseRule>>,
    styles: Vec<(MarkTypeId, StyleReader)>,
    /// True if a list directly in a list is taken into the item before it.
    pub(super) normalizes_lists: bool,
}

struct ParseRule {
    tag: &'static TagRule,
    meaning: RuleKind,
}

enum RuleKind {
    Mark(MarkTypeId, &'static marks::MarkParseSpec),
    Node(NodeTypeId, &'static nodes::NodeParseSpec),
}

impl ParseRules {
    pub(super) fn new(schema: &Schema) -> ParseRules {
        let mark_specs = schema.marks().filter_map(|(kind, mark)| Some((kind, &mark.spec?.parse)));
        let node_specs = schema.nodes().filter_map(|(kind, node)| Some((kind, &node.html_spec()?.parse)));
        let styles = mark_specs.clone().map(|(kind, spec)| (kind, spec.style)).collect();
        let mut by_tag: FxHashMap<&'static str, Vec<ParseRule>> = FxHashMap::default();
        let mut add = |tags: &'static [TagRule], meaning: &dyn Fn() -> RuleKind| {
            for tag in tags {
                by_tag.entry(tag.name).or_default().push(ParseRule { tag, meaning: meaning() });
            }
        };
        mark_specs.for_each(|(kind, spec)| add(spec.tags, &|| RuleKind::Mark(kind, spec)));
        node_specs.for_each(|(kind, spec)| add(spec.tags, &|| RuleKind::Node(kind, spec)));
        by_tag.values_mut().for_each(|rules| rules.sort_by_key(|rule| !rule.tag.is_first));
        let holds_itself = |rule: &ParseRule| match rule.meaning {
            RuleKind::Node(kind, _) => schema.match_type(schema.node_type(kind).content_match, kind).is_some(),
            RuleKind::Mark(..) => false,
        };
        let normalizes_lists = !["ul", "ol"].iter().filter_map(|tag| by_tag.get(tag)).flatten().any(holds_itself);
        ParseRules { by_tag, styles, normalizes_lists }
    }

    /// Returns the meaning of an element; `None` if no rule matches it. Marks of rules after which other rules are
    /// tried are added to `marks`.
    pub(super) fn meaning(
        &self,
        schema: &Schema,
        dom: &Dom,
        tables: &mut Tables,
        element: DomId,
        marks: &mut MarkList,
    ) -> Option<Meaning> {
        let mut element = Element { dom, id: element, tables };
        for rule in self.by_tag.get(element.name()).map_or(&[][..], Vec::as_slice) {
            if !(rule.tag.matches)(&element) {
                continue;
            }
            match rule.meaning {
                RuleKind::Mark(kind, spec) => {
                    let given = match dom.has_attributes(element.id) || !spec.attrs.is_empty() {
                        true => element.values(schema.default_mark_attrs(kind).iter(), spec.attrs),
                        false => vec![],
                    };
                    match schema.create_mark(kind, given) {
                        Ok(mark) if rule.tag.is_passing => *marks = marks.iter().cloned().chain([mark]).collect(),
                        made => return made.ok().map(Meaning::Mark),
                    }
                }
                RuleKind::Node(kind, spec) => {
                    let given = element.values(schema.default_attrs(kind).iter(), spec.attrs);
                    return Some(Meaning::Node { kind, given, content: (spec.content)(&element, schema, kind) });
                }
            }
        }
        own_form(schema, &element)
    }

    /// Changes the marks inside an element according to its style.
    pub(super) fn style_marks(&self, schema: &Schema, style: &InlineStyle, marks: &mut Vec<Mark>) {
        for (kind, says) in &self.styles {
            match says(style) {
                Styled::Nothing => {}
                Styled::Adds => marks.extend(schema.create_mark(*kind, vec![])),
                Styled::Clears => marks.retain(|mark| mark.kind != *kind),
            }
        }
    }
}

/// Writes the name of an attribute as a part of a `data-` attribute: `imageWidth` is `image-width`.
fn kebab(name: &str) -> String {
    let letter = |c: char| if c.is_ascii_uppercase() { format!("-{}", c.to_ascii_lowercase()) } else { c.to_string() };
    name.chars().map(letter).collect()
}

/// Returns the meaning of an element in the form in which [`Writer`](super::serialize::Writer) writes types without a
/// definition: `data-type` is the name, and the attributes have their own names. In Markdown that the package wrote
/// they are `data-` attributes, and JSON in those whose names end with `-json`.
///
/// Types with a definition are read from this form too: HTML of versions without the definition has it.
fn own_form(schema: &Schema, element: &Element<'_>) -> Option<Meaning> {
    let name = element.attribute("data-type").filter(|_| matches!(element.name(), "div" | "span"))?;
    let values = |defaults: &Attrs| {
        let given = |(name, default): (&str, &Value)| {
            let data = format!("data-{}", kebab(name));
            if let Some(value) = element.attribute(&format!("{data}-json")) {
                return Some((name.to_owned(), serde_json::from_str(value).ok()?));
            }
            let text = element.attribute(&name.to_ascii_lowercase()).or_else(|| element.attribute(&data))?;
            let value = match text.as_bytes().first() {
                _ if default.is_string() => None,
                Some(b'[' | b'{') => serde_json::from_str(text).ok(),
                _ => Some(from_string(text)),
            };
            Some((name.to_owned(), value.unwrap_or_else(|| text.into())))
        };
        defaults.iter().filter_map(given).collect::<Vec<_>>()
    };
    let has_form = |kind: &NodeTypeId| schema.node_type(*kind).html_spec().is_none_or(|spec| !spec.is_default);
    if let Some(kind) = schema.find_node(name).filter(has_form) {
        let given = values(&schema.default_attrs(kind));
        return Some(Meaning::Node { kind, given, content: Content::Of(element.id) });
    }
    let kind = schema.find_mark(name)?;
    let has_form = schema.mark(kind).is_some_and(|mark| mark.spec.is_none_or(|spec| !spec.is_default));
    let mark = || schema.create_mark(kind, values(&schema.default_mark_attrs(kind)));
    has_form.then(mark)?.ok().map(Meaning::Mark)
}
