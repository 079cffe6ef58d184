// Edits of sections.
import { a, b, callout, doc, h1, h2, h3, i, img, li, ol, p, pre, q, row, src, table, td, todo, ul } from "./notation.mjs";

const start = doc(h1("Tea"), p("About."), h2("History"), p("Old ", b("leaves"), "."), ul("one", "two"), h2("Kinds"), p("Many."));
const after = (...kinds) => doc(h1("Tea"), p("About."), h2("History"), ...kinds, h2("Kinds"), p("Many."));
const section = (operation, sectionIndex, more) => ({ operation, sectionIndex, ...more });

export default [
  ["a section: one word", start, section("replace", 1, { content: "<p>Very old <strong>leaves</strong>.</p><ul><li>one</li><li>two</li></ul>" }), after(p("Very old ", b("leaves"), "."), ul("one", "two"))],
  ["a section: an item more", start, section("replace", 1, { content: "<p>Old <strong>leaves</strong>.</p><ul><li>one</li><li>and</li><li>two</li></ul>" }), after(p("Old ", b("leaves"), "."), ul("one", "and", "two"))],
  ["a section: other content", start, section("replace", 1, { content: "<h3>New</h3><pre><code>x</code></pre>" }), after(h3("New"), pre("x"))],
  ["a section: another title", start, section("replace", 2, { title: "Sorts", content: "<p>Many.</p>" }), doc(h1("Tea"), p("About."), h2("History"), p("Old ", b("leaves"), "."), ul("one", "two"), h2("Sorts"), p("Many."))],
  ["the first section", start, section("replace", 0, { content: "<p>About tea.</p>" }), doc(h1("Tea"), p("About tea."), h2("History"), p("Old ", b("leaves"), "."), ul("one", "two"), h2("Kinds"), p("Many."))],
  ["a section at the end", start, { operation: "append", title: "End", content: "<p>Bye.</p>" }, doc(...start.content, h2("End"), p("Bye."))],
  ["a section between", start, section("insert", 2, { title: "Use", content: "Drink it." }), doc(h1("Tea"), p("About."), h2("History"), p("Old ", b("leaves"), "."), ul("one", "two"), h2("Use"), p("Drink it."), h2("Kinds"), p("Many."))],
  ["a section goes", start, section("delete", 1), doc(h1("Tea"), p("About."), h2("Kinds"), p("Many."))],
  ["the last section goes", start, section("delete", 2), doc(h1("Tea"), p("About."), h2("History"), p("Old ", b("leaves"), "."), ul("one", "two"))],
  ["a section with a table: one cell", doc(h2("A"), table(row("a", "b"), row("c", "d")), h2("B")), section("replace", 1, { content: "<table><tr><td>a</td><td>b</td></tr><tr><td>c</td><td>D</td></tr></table>" }), doc(h2("A"), table(row("a", "b"), row("c", "D")), h2("B"))],
  ["a section keeps what HTML cannot carry", doc(h2("A"), p({ rank: 1 }, "a b"), h2("B")), section("replace", 1, { content: "<p>a c</p>" }), doc(h2("A"), p({ rank: 1 }, "a c"), h2("B"))],
  ["a section in Chinese", doc(h2("历史"), p("茶", i("很"), "老。"), h2("种类")), section("replace", 1, { content: "<p>茶<em>很</em>古老。</p>" }), doc(h2("历史"), p("茶", i("很"), "古老。"), h2("种类"))],
  ["a picture behind a section", start, { operation: "insert_image", sectionIndex: 1, imageUrl: src("x"), imageDescription: "x" }, after(p("Old ", b("leaves"), "."), ul("one", "two"), img("x")), { agent: false }],
  ["a picture before a section", start, { operation: "insert_image", sectionIndex: 1, imageUrl: src("x"), imageDescription: "x", position: "before_section" }, doc(h1("Tea"), p("About."), img("x"), h2("History"), p("Old ", b("leaves"), "."), ul("one", "two"), h2("Kinds"), p("Many.")), { agent: false }],
  ["a section moves down", start, { operation: "move_section", sectionIndex: 1, toIndex: 2 }, doc(h1("Tea"), p("About."), h2("Kinds"), p("Many."), h2("History"), p("Old ", b("leaves"), "."), ul("one", "two"))],
  ["a section moves up", doc(h2("A"), p("a"), h2("B"), img("b"), h2("C"), p({ rank: 1 }, "c")), { operation: "move_section", sectionIndex: 3, toIndex: 1 }, doc(h2("C"), p({ rank: 1 }, "c"), h2("A"), p("a"), h2("B"), img("b"))],
  ["a section with a callout moves past a table", doc(p("x"), h2("A"), callout(p("a")), h2("B"), table(row("a", "b"), row("c", "d")), h2("C")), { operation: "move_section", sectionIndex: 1, toIndex: 2 }, doc(p("x"), h2("B"), table(row("a", "b"), row("c", "d")), h2("A"), callout(p("a")), h2("C")), { alone: false }],
  ["a section with a picture stays around it", doc(h2("A"), p("x"), img("x"), p("y"), h2("B")), section("replace", 1, { content: `<p>x</p><img src="${src("x")}" alt="x"><p>Y</p>` }), doc(h2("A"), p("x"), img("x"), p("Y"), h2("B"))],
];
