//! `taskList`.

use super::*;

pub(super) const NODES: &[NodeSpec] = &[NodeSpec {
    name: "taskList",
    role: Some(NodeRole::TaskList),
    schema: r#"{"content": "taskItem+", "group": "block list"}"#,
    #[cfg(feature = "html")]
    parse: NodeParseSpec::tags(&[TagRule::named("ul")
        .first()
        .when(|list| list.attribute("data-type") == Some("taskList"))]),
    html: |writer, node| {
        writer.raw("<ul data-type=\"taskList\">");
        writer.fragment(node.children());
        writer.close("ul");
    },
    child_prefix: |child| {
        let checked = child.node.attrs().get("checked").is_some_and(|checked| checked.as_bool() == Some(true));
        child.marked(Sign::Task { checked })
    },
    is_plain: true,
    ..NodeSpec::DEFAULT
}];
