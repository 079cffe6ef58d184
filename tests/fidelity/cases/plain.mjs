// Correct edits of every operation, as a careful model writes them.
import {
  bold,
  br,
  code,
  details,
  done,
  h,
  hr,
  img,
  italic,
  li,
  link,
  ol,
  p,
  pre,
  quote,
  table,
  tasks,
  td,
  th,
  todo,
  tr,
  ul,
} from "../builders.mjs";
import { collector } from "../rules.mjs";

const { cases, add, whole } = collector("plain");

const old = (t) => t("Tea was cheap in those days.", "那时候茶很便宜。");
const fresh = (t) => t("Tea was very cheap in those days.", "那时候茶非常便宜。");
const extra = (t) => t("Coffee was not.", "咖啡不便宜。");

/** A textblock of each kind, with a way to write its text. */
const KINDS = {
  paragraph: (text) => [p(text), p("x")],
  heading: (text) => [h(3, text), p("x")],
  item: (text) => [ul(li(text), li("x"))],
  "nested item": (text) => [ul(li(p("x"), ul(li(text), li("y"))))],
  "numbered item": (text) => [ol(li(text), li("x"))],
  task: (text) => [tasks(done(text), todo("x"))],
  cell: (text) => [table(tr(th("x"), th("y")), tr(td(text), td("z")))],
  quotation: (text) => [quote(p(text), p("x"))],
  code: (text) => [pre("js", `// ${text}\nx();`)],
  summary: (text) => [details(text, p("x"))],
  "unfolding part": (text) => [details("x", p(text))],
};
const LINE = { "nested item": 2, cell: 3, "unfolding part": 2 };
for (const [kind, make] of Object.entries(KINDS)) {
  const written = (text) => (kind === "code" ? `// ${text}` : text);
  add(`text for a ${kind}`, ["article", "report"], (t) => ({
    before: make(old(t)),
    after: make(fresh(t)),
    lines: [LINE[kind] ?? 1],
    content: written(fresh(t)),
  }));
}

add("HTML for a paragraph", ["article", "quoted", "last"], (t) =>
  [
    {
      form: "p",
      content: `<p>${t("Tea was ", "茶")}<strong>${t("cheap", "便宜")}</strong> <em>x</em></p>`,
      after: [p(t("Tea was ", "茶"), bold(t("cheap", "便宜")), " ", italic("x"))],
    },
    {
      form: "inline",
      content: `${t("Tea was ", "茶")}<code>cheap</code>`,
      after: [p(t("Tea was ", "茶"), code("cheap"))],
    },
    { form: "two", content: `<p>${fresh(t)}</p><p>${extra(t)}</p>`, after: [p(fresh(t)), p(extra(t))] },
  ].map((rule) => ({ ...rule, before: [p(old(t))], lines: [1] })),
);

add("Markdown for a paragraph", ["article", "report", "deep"], (t) =>
  [
    {
      form: "bold",
      content: t("Tea was **cheap** then.", "那时茶**便宜**得很。"),
      after: [p(t("Tea was ", "那时茶"), bold(t("cheap", "便宜")), t(" then.", "得很。"))],
    },
    {
      form: "link",
      content: t("See [the list](https://example.com/l).", "见[清单](https://example.com/l)。"),
      after: [p(t("See ", "见"), link("https://example.com/l", t("the list", "清单")), t(".", "。"))],
    },
    { form: "list", content: `- ${fresh(t)}\n- ${extra(t)}`, after: [ul(li(fresh(t)), li(extra(t)))] },
  ].map((rule) => ({ ...rule, before: [p(old(t))], lines: [1] })),
);

add("more and fewer lines", ["article", "quoted"], (t) => [
  {
    form: "two for one",
    before: [p(old(t))],
    after: [p(fresh(t)), p(extra(t))],
    lines: [1],
    content: `${fresh(t)}\n${extra(t)}`,
  },
  { form: "one for two", before: [p(old(t)), p(extra(t))], after: [p(fresh(t))], lines: [1, 2], content: fresh(t) },
  {
    form: "two items for one",
    before: [ul(li(old(t)), li("x"))],
    after: [ul(li(fresh(t)), li(extra(t)), li("x"))],
    lines: [1],
    content: `${fresh(t)}\n${extra(t)}`,
  },
]);

add("several edits in one call", ["article", "twins"], (t) => [
  {
    form: "two lines",
    before: [p(old(t)), p("x"), p(extra(t))],
    after: [p(fresh(t)), p("x"), p("y")],
    edits: [
      { lines: [1], content: fresh(t) },
      { lines: [3], content: "y" },
    ],
  },
  {
    form: "numbers are of before",
    before: [p(old(t)), p("x"), p(extra(t))],
    after: [p(fresh(t)), p("a"), p("b"), p("x"), p("y")],
    edits: [
      { lines: [1], content: `${fresh(t)}\na\nb` },
      { lines: [3], content: "y" },
    ],
  },
  {
    form: "one deletes",
    before: [p(old(t)), ul(li("x"), li("y")), p(extra(t))],
    after: [ul(li("x"), li(fresh(t))), p(extra(t))],
    edits: [
      { lines: [3], content: fresh(t) },
      { lines: [1], content: "" },
    ],
  },
]);

// Sections

const sections = (t) => [h(2, t("History", "历史")), p(old(t)), ul(li("x"), li(bold("y")))];
add("replace a section", ["chapters", "last"], (t) =>
  [
    {
      form: "html",
      content: `<p>${fresh(t)}</p><ul><li>x</li><li><strong>y</strong></li></ul>`,
      after: [h(2, t("History", "历史")), p(fresh(t)), ul(li("x"), li(bold("y")))],
    },
    {
      form: "markdown",
      content: `${fresh(t)}\n\n1. a\n2. **b**\n\n> c`,
      after: [h(2, t("History", "历史")), p(fresh(t)), ol(li("a"), li(bold("b"))), quote("c")],
    },
    {
      form: "text",
      content: `${fresh(t)}\n${extra(t)}`,
      after: [h(2, t("History", "历史")), p(fresh(t)), p(extra(t))],
    },
  ].map(({ content, ...rule }) => ({
    ...rule,
    before: sections(t),
    call: ({ section }) => ({ operation: "replace", sectionIndex: section, content }),
  })),
);
add("replace a section and its title", ["chapters", "last"], (t) => ({
  before: sections(t),
  after: [h(2, t("Early history", "早期历史")), p(fresh(t))],
  call: ({ section }) => ({
    operation: "replace",
    sectionIndex: section,
    title: t("Early history", "早期历史"),
    content: `<p>${fresh(t)}</p>`,
  }),
}));
add("rich content", ["chapters"], (t) => ({
  before: sections(t),
  after: [
    h(2, t("History", "历史")),
    h(3, "a"),
    p("b", br, "c"),
    pre("js", "d();\n\ne();"),
    table(tr(th("f"), th("g")), tr("h", "i")),
    hr(),
    tasks(done("j"), todo("k")),
    img("https://example.com/l.png", { alt: "m" }),
  ],
  call: ({ section }) => ({
    operation: "replace",
    sectionIndex: section,
    content:
      '<h3>a</h3><p>b<br>c</p><pre><code class="language-js">d();\n\ne();</code></pre><table><tbody><tr><th>f</th><th>g</th></tr><tr><td>h</td><td>i</td></tr></tbody></table><hr><ul data-type="taskList"><li data-type="taskItem" data-checked="true">j</li><li data-type="taskItem" data-checked="false">k</li></ul><img src="https://example.com/l.png" alt="m">',
  }),
}));
add("rich Markdown", ["chapters"], (t) => ({
  before: sections(t),
  after: [
    h(2, t("History", "历史")),
    h(3, "a"),
    p("b ", bold("c")),
    pre("js", "d();\n\ne();"),
    table(tr(th("f"), th("g")), tr("h", "i")),
    hr(),
    ul(li(p("j"), ul(li("k")))),
  ],
  call: ({ section }) => ({
    operation: "replace",
    sectionIndex: section,
    content: "### a\n\nb **c**\n\n```js\nd();\n\ne();\n```\n\n| f | g |\n|---|---|\n| h | i |\n\n---\n\n- j\n  - k",
  }),
}));
add("append a section", ["article", "chapters"], (t) => ({
  before: sections(t),
  append: [[h(2, t("The end", "结尾")), p(fresh(t))]],
  call: { operation: "append", title: t("The end", "结尾"), content: `<p>${fresh(t)}</p>` },
}));
add("insert a section", ["chapters", "last"], (t) => ({
  before: sections(t),
  after: [h(2, t("Before", "之前")), p(fresh(t)), ...sections(t)],
  call: ({ section }) => ({
    operation: "insert",
    sectionIndex: section,
    title: t("Before", "之前"),
    content: `<p>${fresh(t)}</p>`,
  }),
}));
add("delete a section", ["chapters", "last"], (t) => ({
  before: [...sections(t), h(2, "z"), p("z")],
  after: [h(2, "z"), p("z")],
  call: ({ section }) => ({ operation: "delete", sectionIndex: section }),
}));
const picture = { imageUrl: "https://example.com/leaf.jpg", imageDescription: "leaf" };
const leaf = img("https://example.com/leaf.jpg", { alt: "leaf" });
add("insert an image", ["chapters", "last"], (t) => [
  {
    form: "after",
    before: sections(t),
    after: [...sections(t), leaf],
    call: ({ section }) => ({ operation: "insert_image", sectionIndex: section, ...picture }),
  },
  {
    form: "before",
    before: sections(t),
    after: [leaf, ...sections(t)],
    call: ({ section }) => ({
      operation: "insert_image",
      sectionIndex: section,
      position: "before_section",
      ...picture,
    }),
  },
]);
whole("move a section", (t) => {
  const [a, b, c] = [
    [h(2, "a"), p(old(t))],
    [h(2, "b"), ul(li("x"))],
    [h(2, "c"), p(extra(t)), hr()],
  ];
  const intro = [h(1, t("Tea", "茶")), p(fresh(t))];
  return [
    {
      form: "down",
      before: [...intro, ...a, ...b, ...c],
      after: [...intro, ...b, ...c, ...a],
      call: { operation: "move_section", sectionIndex: 1, toIndex: 3 },
    },
    {
      form: "up",
      before: [...intro, ...a, ...b, ...c],
      after: [...intro, ...c, ...a, ...b],
      call: { operation: "move_section", sectionIndex: 3, toIndex: 1 },
    },
    {
      form: "section 0",
      before: [...intro, ...a, ...b],
      refused: true,
      call: { operation: "move_section", sectionIndex: 0, toIndex: 1 },
    },
  ];
});

// Plain refusals

add("calls that cannot be right", ["article", "chapters"], (t) =>
  [
    {
      form: "line out of range",
      codes: ["line_out_of_range"],
      call: ({ total }) => ({
        operation: "replace_lines",
        edits: [{ start_line: total + 3, end_line: total + 3, content: "x" }],
      }),
    },
    {
      form: "end before start",
      call: ({ line }) => ({
        operation: "replace_lines",
        edits: [{ start_line: line(2), end_line: line(1), content: "x" }],
      }),
    },
    {
      form: "overlapping edits",
      codes: ["overlapping_edits"],
      call: ({ line }) => ({
        operation: "replace_lines",
        edits: [
          { start_line: line(1), end_line: line(2), content: "x" },
          { start_line: line(2), end_line: line(2), content: "y" },
        ],
      }),
    },
  ].map((rule) => ({ ...rule, before: [p(old(t)), p(extra(t))], refused: true })),
);
add("calls that cannot be right, of sections", ["article", "last"], (t) =>
  [
    {
      form: "section out of range",
      codes: ["section_out_of_range"],
      call: { operation: "replace", sectionIndex: 40, content: "<p>x</p>" },
    },
    { form: "section 0 deleted", call: { operation: "delete", sectionIndex: 0 } },
    {
      form: "image without http",
      codes: ["invalid_url"],
      call: { operation: "insert_image", sectionIndex: 0, imageUrl: "javascript:alert(1)", imageDescription: "x" },
    },
  ].map((rule) => ({ ...rule, before: [p(old(t)), p(extra(t))], refused: true })),
);

export default cases;
