//! The document as JavaScript uses it, in a browser: sections, lines, every operation, and an editor.

use copydesk::document::DocumentHandle;
use js_sys::{Array, Function, JSON, Reflect, Uint32Array};
use serde_json::{Value, json};
use wasm_bindgen::prelude::*;
use wasm_bindgen_test::*;

const TEA: &str = "<h1>Tea</h1><p>About tea.</p><h2>History</h2><p>Old.</p><h2>Kinds</h2><p>Many.</p>";

fn document(html: &str) -> DocumentHandle {
    DocumentHandle::from_html(html.into(), "en").ok().unwrap()
}

/// Converts a value as JavaScript would see it.
fn seen(value: &JsValue) -> Value {
    serde_json::from_str(&JSON::stringify(value).unwrap().as_string().unwrap()).unwrap()
}

fn code_of(thrown: &JsValue) -> String {
    assert!(thrown.is_instance_of::<js_sys::Error>());
    Reflect::get(thrown, &"code".into()).unwrap().as_string().unwrap()
}

fn numbers(value: JsValue) -> Vec<u32> {
    value.dyn_into::<Uint32Array>().unwrap().to_vec()
}

#[wasm_bindgen_test]
fn sections_have_titles_contents_and_positions() {
    let document = document(TEA);
    let outline = document.outline().unwrap();
    assert!(Array::is_array(&outline));
    assert_eq!(
        seen(&outline),
        json!([
            { "index": 0, "title": "Tea", "from": 0, "to": 17 },
            { "index": 1, "title": "History", "from": 17, "to": 32 },
            { "index": 2, "title": "Kinds", "from": 32, "to": 46 },
        ])
    );
    let sections = document.sections(0).unwrap();
    assert_eq!(sections.get(0), "Tea<p>About tea.</p>History<p>Old.</p>Kinds<p>Many.</p>");
    // A key, positions, and the lengths of both texts.
    let without_keys = |numbers: Vec<u32>| numbers.chunks(5).flat_map(|one| one[1..].to_vec()).collect::<Vec<_>>();
    assert_eq!(without_keys(numbers(sections.get(1))), [0, 17, 3, 17, 17, 32, 7, 11, 32, 46, 5, 12]);
    // Sections that have been read are not written again.
    let again = document.sections(sections.get(2).as_f64().unwrap() as u32).unwrap();
    assert_eq!(again.get(0), "");
    assert_eq!(without_keys(numbers(again.get(1))), [0, 17, 0, 0, 17, 32, 0, 0, 32, 46, 0, 0]);
}

#[wasm_bindgen_test]
fn lines_have_texts_kinds_and_paths() {
    let document = document("<h2>Köln 🏰</h2><ul><li><p>a</p></li></ul><p></p>");
    let lines = document.lines().unwrap();
    assert_eq!(lines.get(0), "Köln 🏰a");
    let kinds = Array::from(&lines.get(2));
    let kinds: Vec<String> = kinds.iter().map(|kind| kind.as_string().unwrap()).collect();
    let numbers = numbers(lines.get(1));
    // `from`, `to` and width in UTF-16 code units.
    assert_eq!(numbers[..3], [1, 8, 7]);
    assert_eq!(kinds[numbers[3] as usize], "heading");
    assert_eq!(document.numbered(None, None, false, None).unwrap(), "3 lines, version v1\n1: Köln 🏰\n2: a\n3: ");
    assert_eq!(document.numbered(Some(2), Some(2), true, None).unwrap(), "3 lines, version v1\n2: - a");
    assert_eq!(code_of(&document.numbered(Some(9), None, false, None).unwrap_err()), "invalid_parameter");
}

#[wasm_bindgen_test]
fn every_operation_is_applied_and_reported_as_plain_objects() {
    let cases = [
        (
            json!({ "operation": "replace", "sectionIndex": 1, "content": "<p>Very old.</p>" }),
            TEA.replace("Old.", "Very old."),
        ),
        (
            json!({ "operation": "append", "title": "Now", "content": "<p>Today.</p>" }),
            format!("{TEA}<h2>Now</h2><p>Today.</p>"),
        ),
        (
            json!({ "operation": "insert", "sectionIndex": 1, "title": "First", "content": "<p>f</p>" }),
            TEA.replace("<h2>History", "<h2>First</h2><p>f</p><h2>History"),
        ),
        (json!({ "operation": "delete", "sectionIndex": 1 }), TEA.replace("<h2>History</h2><p>Old.</p>", "")),
        (
            json!({ "operation": "insert_image", "sectionIndex": 1, "imageUrl": "https://example.org/a.png", "imageDescription": "Tea" }),
            TEA.replace("<p>Old.</p>", "<p>Old.</p><img src=\"https://example.org/a.png\" alt=\"Tea\">"),
        ),
        (
            json!({ "operation": "replace_lines", "edits": [{ "start_line": 4, "content": "Ancient." }] }),
            TEA.replace("Old.", "Ancient."),
        ),
        (json!({ "operation": "replace_text", "old": "Many", "new": "Six" }), TEA.replace("Many", "Six")),
    ];
    for (update, expected) in cases {
        let document = document(TEA);
        let before = document.version().unwrap();
        document.check(&update.to_string()).unwrap();
        let applied = document.apply(&update.to_string(), None).unwrap();
        assert_eq!(document.to_html().unwrap(), expected, "{update}");
        let applied = seen(&applied);
        assert_eq!((&applied["success"], &applied["operation"]), (&json!(true), &update["operation"]));
        assert_eq!(applied["version"], document.version().unwrap());
        assert_ne!(applied["version"], before);
    }
}

#[wasm_bindgen_test]
fn an_update_that_fails_changes_nothing_and_throws_its_code() {
    let document = document(TEA);
    for (update, code) in [
        (json!({ "operation": "delete", "sectionIndex": 9 }), "section_out_of_range"),
        (json!({ "operation": "replace_text", "old": "Coffee", "new": "Tea" }), "text_not_found"),
        (json!({ "operation": "rewrite" }), "unknown_operation"),
    ] {
        assert_eq!(code_of(&document.apply(&update.to_string(), None).unwrap_err()), code);
    }
    assert_eq!(document.to_html().unwrap(), TEA);
}

#[wasm_bindgen_test]
fn guards_come_in_as_objects() {
    let document = document(TEA);
    let guards = JSON::parse(r#"{ "locked": [1] }"#).unwrap();
    document.set_guards(guards).unwrap();
    let update = json!({ "operation": "delete", "sectionIndex": 1 }).to_string();
    assert_eq!(code_of(&document.apply(&update, None).unwrap_err()), "locked");
    document.set_guards(JsValue::NULL).unwrap();
    document.apply(&update, None).unwrap();
    let odd = JSON::parse(r#"{ "locked": 7 }"#).unwrap();
    let thrown = document.set_guards(odd).unwrap_err();
    let message = Reflect::get(&thrown, &"message".into()).unwrap().as_string().unwrap();
    assert!(code_of(&thrown) == "config" && message.contains("guards.locked"), "{message}");
}

/// An editor of paragraphs without marks: `blocks` are their texts. It reports its changes to `handle`.
const EDITOR: &str = r#"
  const node = (text) => ({ type: "paragraph", ...(text && { content: [{ type: "text", text }] }) });
  return {
    blocks, undone: [], handle: null, reviews: 0, pending: [],
    sync() {
      for (const [at, text] of this.pending.splice(0)) this.handle(Uint32Array.of(at, 1, 1), JSON.stringify([node(text)]));
    },
    // The user types before the next sync.
    type(at, text) { this.blocks[at] = text; this.pending.push([at, text]); },
    parse(html) { return JSON.stringify([node(html.replace(/<[^>]*>/g, ""))]); },
    html(start, end) { return this.blocks.slice(start, end).map((text) => `<p>${text}</p>`).join(""); },
    htmlOf(blocks) { return JSON.parse(blocks).map(({ content }) => `<p>${content?.[0].text ?? ""}</p>`).join(""); },
    dispatch(changes) {
      if (this.refuses) throw new Error("read-only");
      for (const { from, to, content } of JSON.parse(changes).reverse()) {
        let [at, start] = [0, 1];
        while (from > start + this.blocks[at].length) start += this.blocks[at++].length + 2;
        const text = this.blocks[at];
        this.blocks[at] = text.slice(0, from - start) + (content[0]?.text ?? "") + text.slice(to - start);
        this.handle(Uint32Array.of(at, 1, 1), JSON.stringify([node(this.blocks[at])]));
      }
    },
    reviewed() { this.reviews++; },
  };
"#;

struct Bound {
    document: JsValue,
    editor: JsValue,
}

impl Bound {
    /// Binds an editor of paragraphs to a document, both as JavaScript objects.
    fn new(texts: &[&str]) -> Bound {
        let blocks: Array = texts.iter().map(|text| JsValue::from(*text)).collect();
        let editor = Function::new_with_args("blocks", EDITOR).call1(&JsValue::UNDEFINED, &blocks).unwrap();
        let node = |text: &&str| json!({ "type": "paragraph", "content": [{ "type": "text", "text": text }] });
        let content: Vec<Value> = texts.iter().map(node).collect();
        let json = json!({ "type": "doc", "content": content }).to_string();
        let handle =
            DocumentHandle::from_json(json.as_bytes(), None, Some(editor.clone().unchecked_into()), "en").ok().unwrap();
        let document = JsValue::from(handle);
        let bind = Function::new_with_args(
            "document, editor",
            "editor.handle = (stretches, blocks) => document.sync(stretches, blocks)",
        );
        bind.call2(&JsValue::UNDEFINED, &document, &editor).unwrap();
        Bound { document, editor }
    }

    /// Evaluates an expression with `document` and `editor`.
    fn run(&self, expression: &str) -> Result<JsValue, JsValue> {
        let function = Function::new_with_args("document, editor", &format!("return {expression}"));
        function.call2(&JsValue::UNDEFINED, &self.document, &self.editor)
    }

    fn see(&self, expression: &str) -> Value {
        seen(&self.run(expression).unwrap())
    }
}

const REPLACE: &str = r#"document.apply('{"operation":"replace_text","old":"old","new":"green"}')"#;

#[wasm_bindgen_test]
fn an_edit_is_dispatched_to_the_editor_and_comes_back() {
    let bound = Bound::new(&["Tea is old.", "So is coffee."]);
    assert_eq!(bound.see(REPLACE)["success"], true);
    assert_eq!(bound.see("editor.blocks"), json!(["Tea is green.", "So is coffee."]));
    assert_eq!(bound.see("document.toHTML()"), "<p>Tea is green.</p><p>So is coffee.</p>");
}

#[wasm_bindgen_test]
fn what_the_user_typed_is_read_before_an_edit() {
    let bound = Bound::new(&["Tea is new.", "So is coffee."]);
    bound.run("editor.type(1, 'Coffee is old.')").unwrap();
    bound.run(REPLACE).unwrap();
    assert_eq!(bound.see("editor.blocks"), json!(["Tea is new.", "Coffee is green."]));
}

#[wasm_bindgen_test]
fn a_proposal_waits_until_it_is_accepted() {
    let bound = Bound::new(&["Tea is old.", "So is coffee."]);
    bound.run("document.setMode('review')").unwrap();
    bound.run(REPLACE).unwrap();
    assert_eq!(bound.see("editor.blocks[0]"), "Tea is old.");
    let hunks = bound.see("document.hunks()");
    assert_eq!(hunks.as_array().map(Vec::len), Some(1));
    let accepted = bound.see("document.accept('\"all\"')");
    assert_eq!((&accepted["hunks"][0], &accepted["conflicts"]), (&hunks[0]["id"], &json!(0)));
    assert_eq!(bound.see("editor.blocks[0]"), "Tea is green.");
    assert_eq!(bound.see("document.hunks()"), json!([]));
    assert!(bound.see("editor.reviews").as_u64() > Some(1));
}

#[wasm_bindgen_test]
fn an_editor_that_refuses_or_is_destroyed_is_an_error() {
    let bound = Bound::new(&["Tea is old."]);
    bound.run("editor.refuses = true").unwrap();
    let thrown = bound.run(REPLACE).unwrap_err();
    assert_eq!(code_of(&thrown), "editor_refused");
    assert!(seen(&Reflect::get(&thrown, &"message".into()).unwrap()).as_str().unwrap().contains("read-only"));
    assert_eq!(bound.see("document.toHTML()"), "<p>Tea is old.</p>");
    bound.run("document.release()").unwrap();
    assert_eq!(code_of(&bound.run("document.toHTML()").unwrap_err()), "editor_destroyed");
}

#[wasm_bindgen_test]
fn messages_of_errors_are_in_the_documents_language() {
    let handle = DocumentHandle::from_html(TEA.into(), "zh-CN").ok().unwrap();
    let thrown = handle.apply(&json!({ "operation": "delete", "sectionIndex": 9 }).to_string(), None).unwrap_err();
    let message = Reflect::get(&thrown, &"message".into()).unwrap().as_string().unwrap();
    assert!(message.contains('9') && !message.is_ascii(), "{message}");
}
