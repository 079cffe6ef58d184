// C: edits that destroy are refused: places left out, most of a document dropped, off by one. And what only looks like it.
import { bold, br, h, li, ol, p, pre, quote, table, th, tr, ul } from "../builders.mjs";
import { literal } from "../literal.mjs";
import { collector } from "../rules.mjs";

// C1

const c1 = collector("C1");

const texts = (t) => [
  t("The pot must be warm before the leaves go in.", "放入茶叶之前，壶必须温热。"),
  t("Take two spoons of leaves for each guest.", "每位客人取两勺茶叶。"),
  t("Wait for three minutes with the lid on.", "盖上盖子等三分钟。"),
  t("Pour it slowly, and never to the brim.", "慢慢倒，切勿倒满。"),
];
const fresh = (t) => t("First of all, warm the pot.", "首先要温壶。");

const HTML_PLACES = {
  "comment: rest": (t) => t("<!-- rest -->", "<!-- 其余 -->"),
  "comment: rest unchanged": (t) => t("<!-- rest of the section unchanged -->", "<!-- 本节其余内容不变 -->"),
  "comment: existing": (t) => t("<!-- ... existing content ... -->", "<!-- ……原有内容…… -->"),
  "p: rest unchanged": (t) => t("<p>… rest unchanged …</p>", "<p>……其余不变……</p>"),
  "p: brackets": (t) => t("<p>[rest of the content remains the same]</p>", "<p>【其余内容保持不变】</p>"),
  "p: round brackets": (t) => t("<p>(remaining paragraphs unchanged)</p>", "<p>（其余内容不变）</p>"),
  "p: only dots": () => "<p>...</p>",
};
const TEXT_PLACES = {
  "rest unchanged": (t) => t("… rest unchanged …", "……其余不变……"),
  "three dots": (t) => t("... rest of the text stays the same ...", "...以下内容保持不变..."),
  brackets: (t) => t("[remaining lines unchanged]", "（其余内容不变）"),
  "previous content": (t) => t("[... previous content ...]", "[……前文……]"),
  existing: () => "// ... existing code ...",
  "only dots": () => "...",
  "only an ellipsis": (t) => t("…", "……"),
};
const wrap = (text) => `<p>${text}</p>`;
for (const [name, place] of Object.entries(HTML_PLACES)) {
  c1.add(name, ["chapters", "last"], (t) =>
    [
      {
        form: "section",
        before: [h(2, t("Steps", "步骤")), ...texts(t).map((text) => p(text))],
        call: ({ section }) => ({ operation: "replace", sectionIndex: section, content: wrap(fresh(t)) + place(t) }),
      },
      { form: "lines", before: texts(t).map((text) => p(text)), lines: [1, 4], content: wrap(fresh(t)) + place(t) },
    ].map((rule) => ({ ...rule, refused: true, codes: ["placeholder"] })),
  );
}
for (const [name, place] of Object.entries(TEXT_PLACES)) {
  c1.add(name, ["article", "report"], (t) =>
    [
      { form: "lines", before: texts(t).map((text) => p(text)), lines: [1, 4], content: `${fresh(t)}\n${place(t)}` },
      {
        form: "items",
        before: [ul(texts(t).map((text) => li(text)))],
        lines: [1, 4],
        content: `- ${fresh(t)}\n- ${place(t)}`,
      },
    ].map((rule) => ({ ...rule, refused: true, codes: ["placeholder"] })),
  );
}
c1.add("in code", ["article", "last"], (t) => {
  const old = `const tea = 1;\nconst pot = 2;\nbrew(tea, pot);\npour(${t("cup", "杯")});`;
  return ["// ... existing code ...", "// ...", "# ... rest of the code unchanged ...", "/* ... */", "..."].map(
    (mark, index) => ({
      form: ["existing", "slashes", "hash", "comment", "dots"][index],
      before: [pre("js", old)],
      refused: true,
      codes: ["placeholder"],
      lines: [1, 4],
      content: `const tea = 3;\n${mark}`,
    }),
  );
});
const long = (t) =>
  t("Tea is prepared with water that has boiled and rested for a while, ", "沏茶要用煮沸后放置片刻的水，").repeat(
    t(9, 40),
  ) + t("and so the story goes on.", "故事就这样继续。");
c1.add("a long line that was shown cut", ["article"], (t) =>
  [
    { form: "at the end", content: `${long(t).slice(0, 480)}…` },
    { form: "at the end, changed", content: `${t("Green tea", "绿茶")}${long(t).slice(3, 480)}…` },
  ].map((rule) => ({ ...rule, before: [p(long(t)), p(fresh(t))], refused: true, codes: ["placeholder"], lines: [1] })),
);

c1.add("not left out", ["article", "quoted"], (t) =>
  literal(t, [
    ["a pause", t("And so it goes on and on…", "就这样一直继续下去……")],
    ["dots at the end", t("To be continued...", "未完待续...")],
    ["dots in front", t("… and he never came back.", "……他再也没有回来。")],
    ["the word rest", t("The rest is unchanged since 1990.", "其余部分自1990年以来没有变化。")],
    ["the word existing", t("All existing content is free.", "所有现有内容都是免费的。")],
    ["brackets", t("He said [sic] nothing.", "他［原文如此］没有说话。")],
  ]),
);
c1.add("dots that are there already", ["article", "last"], (t) => [
  {
    form: "text",
    before: [p(texts(t)[0]), p("..."), p(texts(t)[1])],
    after: [p(fresh(t)), p("..."), p(texts(t)[1])],
    lines: [1, 3],
    content: `${fresh(t)}\n...\n${texts(t)[1]}`,
  },
  {
    form: "code",
    before: [pre("js", `call(...args);\n// ...\nend(); // ${t("end", "完")}`)],
    after: [pre("js", `call(1, ...args);\n// ...\nend(); // ${t("end", "完")}`)],
    lines: [1, 3],
    content: `call(1, ...args);\n// ...\nend(); // ${t("end", "完")}`,
  },
  {
    form: "html comment",
    before: [p(texts(t)[0])],
    after: [p(fresh(t))],
    lines: [1],
    content: `<!-- ${t("the new line", "新的一行")} --><p>${fresh(t)}</p>`,
  },
]);

// C2

const c2 = collector("C2");
const article = (t) => [
  h(1, t("A book of tea", "茶之书")),
  p(t("Tea is ", "茶是"), bold(t("old", "古老的")), t(".", "。")),
  h(2, t("How", "做法")),
  ol(texts(t).map((text) => li(text))),
  p(t("Nothing else is needed.", "别的都不需要。")),
  quote(p(t("So they say.", "人们这么说。"))),
  h(2, t("Prices", "价格")),
  table(tr(th(t("Tea", "茶")), th(t("Price", "价格"))), tr(t("Green", "绿茶"), "€ 12"), tr(t("Black", "红茶"), "€ 9")),
  p(t("Line one", "第一行"), br, t("line two", "第二行")),
  h(2, t("Who", "谁")),
  p(t("Written by Ann for everybody who drinks tea.", "小安为所有喝茶的人而写。")),
  ul(li(t("for guests", "给客人")), li(t("for cooks", "给厨师"))),
];
const whole = (content, more) => ({ operation: "replace_lines", edits: [{ content }], ...more });
c2.whole("content without lines that drops most", (t) =>
  [
    ["one paragraph", `<p>${fresh(t)}</p>`],
    ["text", fresh(t)],
    [
      "a list",
      `<ul>${texts(t)
        .map((text) => `<li>${text}</li>`)
        .join("")}</ul>`,
    ],
    ["one section of it", `<h2>${t("Prices", "价格")}</h2><p>${t("Ask for them.", "请询价。")}</p>`],
    ["markdown", `## ${t("Prices", "价格")}\n\n${t("**Ask** for them.", "**请**询价。")}`],
    ["empty", ""],
  ].map(([form, content]) => ({
    form,
    before: article(t),
    refused: true,
    codes: [content ? "would_drop" : "invalid_parameter"],
    call: whole(content),
  })),
);
c2.whole("a whole rewrite that is said", (t) => ({
  before: article(t),
  after: [h(1, t("New", "新")), p(fresh(t))],
  call: whole(`<h1>${t("New", "新")}</h1><p>${fresh(t)}</p>`, { whole: true }),
}));
c2.whole("a short document", (t) => [
  { form: "html", before: [p(t("Old.", "旧。"))], refused: true, codes: ["would_drop"], call: whole(`<p>${fresh(t)}</p>`) },
  {
    form: "two blocks",
    before: [h(1, t("Old", "旧")), p(t("Text.", "文字。"))],
    refused: true,
    codes: ["would_drop"],
    call: whole(`<h1>${t("New", "新")}</h1><p>${fresh(t)}</p>`),
  },
  {
    form: "one of two blocks",
    before: [h(1, t("Old", "旧")), p(t("Text.", "文字。"))],
    after: [h(1, t("Old", "旧")), p(fresh(t))],
    call: whole(`<h1>${t("Old", "旧")}</h1><p>${fresh(t)}</p>`),
  },
  {
    form: "empty",
    before: [p()],
    after: [h(1, t("New", "新")), p(fresh(t))],
    call: whole(`# ${t("New", "新")}\n\n${fresh(t)}`),
  },
]);
c2.whole("lines that drop most are meant", (t) => ({
  before: article(t),
  after: [...article(t).slice(0, 2), p(fresh(t))],
  call: ({ total }) => ({
    operation: "replace_lines",
    edits: [{ start_line: 3, end_line: total, content: `<p>${fresh(t)}</p>` }],
  }),
}));

// C3

const c3 = collector("C3");
const changed = (t) => [
  t("The pot must be very warm before the leaves go in.", "放入茶叶之前，壶必须非常温热。"),
  t("Take three spoons of leaves for each guest.", "每位客人取三勺茶叶。"),
  t("Wait for four minutes with the lid on.", "盖上盖子等四分钟。"),
  t("Pour it slowly, and never quite to the brim.", "慢慢倒，切勿完全倒满。"),
];
const HOLDERS = {
  paragraphs: (list) => list.map((text) => p(text)),
  items: (list) => [ul(list.map((text) => li(text)))],
  numbers: (list) => [ol(list.map((text) => li(text)))],
  "paragraphs of a quotation": (list) => [quote(list.map((text) => p(text)))],
};
for (const [name, hold] of Object.entries(HOLDERS)) {
  c3.add(`off by one in ${name}`, ["article", "report"], (t) =>
    [
      { form: "the line before is meant", line: 2, content: changed(t)[0] },
      { form: "the line after is meant", line: 2, content: changed(t)[2] },
      { form: "html", line: 3, content: `<p>${changed(t)[1]}</p>` },
      { form: "html, after", line: 3, content: `<p>${changed(t)[3]}</p>` },
    ].map(({ form, line, content }) => ({ form, before: hold(texts(t)), refused: true, lines: [line], content })),
  );
}
c3.add("two lines off by one", ["article", "last"], (t) => ({
  before: HOLDERS.paragraphs(texts(t)),
  refused: true,
  lines: [2, 3],
  content: changed(t).slice(0, 2).join("\n"),
}));
c3.add("a heading instead of its paragraph", ["deep", "last"], (t) => ({
  before: [h(4, t("Steps to a good cup", "泡好茶的步骤")), p(texts(t)[1])],
  refused: true,
  lines: [1],
  content: changed(t)[1],
}));
c3.add("lines that resemble each other", ["article", "twins"], (t) => {
  const days = [
    t("On Monday tea costs € 3.", "星期一茶价€ 3。"),
    t("On Tuesday tea costs € 4.", "星期二茶价€ 4。"),
    t("On Friday tea costs € 5.", "星期五茶价€ 5。"),
  ];
  const next = t("On Tuesday tea costs € 5.", "星期二茶价€ 5。");
  return [
    {
      form: "text",
      before: days.map((text) => p(text)),
      after: days.with(1, next).map((text) => p(text)),
      lines: [2],
      content: next,
    },
    {
      form: "items",
      before: [ul(days.map((text) => li(text)))],
      after: [ul(days.with(1, next).map((text) => li(text)))],
      lines: [2],
      content: `<li>${next}</li>`,
    },
  ];
});
c3.add("a line that is quite new", ["article", "report"], (t) => ({
  before: HOLDERS.paragraphs(texts(t)),
  after: HOLDERS.paragraphs(texts(t).with(1, t("Whoever hurries should drink coffee.", "赶时间的人该喝咖啡。"))),
  lines: [2],
  content: t("Whoever hurries should drink coffee.", "赶时间的人该喝咖啡。"),
}));
c3.add("code that resembles its neighbour", ["article"], (t) => ({
  before: [pre("js", `add(1, "${t("tea", "茶")}");\nadd(2, "milk");`)],
  after: [pre("js", `add(1, "${t("tea", "茶")}");\nadd(1, "${t("tea", "茶")}!");`)],
  refusalOk: true,
  lines: [2],
  content: `add(1, "${t("tea", "茶")}!");`,
}));

export default [...c1.cases, ...c2.cases, ...c3.cases];
