// A6: a paragraph with hard breaks stays one paragraph when one of its lines changes.
import { bold, br, italic, li, link, p, quote, table, td, todo, tasks, tr, ul } from "../builders.mjs";
import { collector } from "../rules.mjs";

const { cases, add } = collector("A6");

const URL = "https://example.com/map";
const one = (t) => t("Tea house at the bridge", "桥边茶馆");
const two = (t) => t("12 Hill Road", "山路12号");
const three = (t) => [t("Fuzhou, see the ", "福州，见"), link(URL, t("map", "地图"))];
const street = (t) => t("14 Mill Road", "磨坊路14号");

/** The blocks that can hold lines with breaks. */
const HOLDERS = {
  "a paragraph": (parts) => [p(parts)],
  "an item": (parts) => [ul(li(p(parts)), li("x"))],
  "a task": (parts) => [tasks(todo(p(parts)))],
  "a cell": (parts) => [table(tr(td(p(parts)), "x"))],
  "a quotation": (parts) => [quote(p(parts))],
};
for (const [name, hold] of Object.entries(HOLDERS)) {
  const frames = name === "a paragraph" ? ["article", "twins", "quoted"] : ["article", "report"];
  const before = (t) => hold([one(t), br, two(t), br, three(t)]);
  const after = (t, ...line) => hold([one(t), br, line, br, three(t)]);
  add(`inline HTML for a line of ${name}`, frames, (t) => ({
    before: before(t),
    after: after(t, bold(street(t))),
    lines: [2],
    content: `<strong>${street(t)}</strong>`,
  }));
  add(`text for a line of ${name}`, frames, (t) => ({
    before: before(t),
    after: after(t, street(t)),
    lines: [2],
    content: street(t),
  }));
  add(`two lines of text for a line of ${name}`, frames, (t) => ({
    before: before(t),
    after: after(t, street(t), br, t("second floor", "二楼")),
    lines: [2],
    content: `${street(t)}\n${t("second floor", "二楼")}`,
  }));
  add(`a line of ${name} is deleted`, frames, (t) => ({
    before: before(t),
    after: hold([one(t), br, three(t)]),
    lines: [2],
    content: "",
  }));
}

const before = (t) => [p(one(t), br, two(t), br, three(t))];

add("HTML with a break for a line", ["article", "quoted"], (t) =>
  ["<br>", "<br/>", "<br />"].map((tag, index) => ({
    form: ["br", "br/", "br space"][index],
    before: before(t),
    after: [p(one(t), br, street(t), br, italic(t("second floor", "二楼")), br, three(t))],
    lines: [2],
    content: `${street(t)}${tag}<em>${t("second floor", "二楼")}</em>`,
  })),
);

add("Markdown for a line", ["article", "last"], (t) => ({
  before: before(t),
  after: [p(one(t), br, bold(street(t)), br, three(t))],
  lines: [2],
  content: `**${street(t)}**`,
}));

add("a paragraph for a line", ["article", "minutes"], (t) => ({
  before: before(t),
  anyOf: [[p(one(t), br, street(t), br, three(t))], [p(one(t)), p(street(t)), p(three(t))]],
  lines: [2],
  content: `<p>${street(t)}</p>`,
}));

add("all lines as text", ["article", "report", "twins"], (t) => ({
  before: before(t),
  after: [p(one(t), br, street(t), br, three(t))],
  lines: [1, 3],
  content: [one(t), street(t), t("Fuzhou, see the map", "福州，见地图")].join("\n"),
}));

add("all lines as one line of text", ["article", "first"], (t) => ({
  before: before(t),
  after: [p(one(t), t(", ", "，"), two(t), t(", ", "，"), three(t))],
  lines: [1, 3],
  content: [one(t), two(t), t("Fuzhou, see the map", "福州，见地图")].join(t(", ", "，")),
}));

add("all lines as one paragraph of HTML", ["article", "quoted"], (t) => ({
  before: before(t),
  after: [p(one(t), br, street(t), br, three(t))],
  lines: [1, 3],
  content: `<p>${one(t)}<br>${street(t)}<br>${t("Fuzhou, see the ", "福州，见")}<a href="${URL}">${t("map", "地图")}</a></p>`,
}));

add("all lines as paragraphs of HTML", ["article"], (t) => ({
  before: before(t),
  after: [p(one(t)), p(street(t)), p(three(t))],
  lines: [1, 3],
  content: `<p>${one(t)}</p><p>${street(t)}</p><p>${t("Fuzhou, see the ", "福州，见")}<a href="${URL}">${t("map", "地图")}</a></p>`,
}));

add("the first line", ["article", "last"], (t) => ({
  before: before(t),
  after: [p(bold(t("Tea shop", "茶店")), br, two(t), br, three(t))],
  lines: [1],
  content: `<b>${t("Tea shop", "茶店")}</b>`,
}));

add("the last line and the paragraph after it", ["article", "deep"], (t) => ({
  before: [p(one(t), br, two(t)), p(t("Open daily.", "每日营业。"))],
  after: [p(one(t), br, street(t)), p(t("Open on Sundays.", "周日营业。"))],
  lines: [2, 3],
  content: `${street(t)}\n${t("Open on Sundays.", "周日营业。")}`,
}));

export default cases;
