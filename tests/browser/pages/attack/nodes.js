// Nodes and marks of an app that trusts its documents: HTML becomes live in the page exactly as it is written.
import { Mark, Node } from "@tiptap/core";

/** Every attribute of the element, under its own name. */
const everything = {
  all: {
    default: {},
    parseHTML: (dom) => Object.fromEntries([...dom.attributes].map(({ name, value }) => [name, value])),
    renderHTML: ({ all }) => all,
  },
};

const any = (tag, spec) => ({ addAttributes: () => everything, renderHTML: ({ HTMLAttributes }) => [tag, HTMLAttributes, ...(spec.content ? [0] : [])], ...spec });

const Embed = Node.create(any("iframe", { name: "embed", group: "block", atom: true, parseHTML: () => [{ tag: "iframe, embed, object, video, audio, x-embed" }] }));

const Card = Node.create(any("section", { name: "card", group: "block", content: "block+", parseHTML: () => [{ tag: "section" }] }));

const Form = Node.create(any("form", { name: "form", group: "block", content: "block+", parseHTML: () => [{ tag: "form" }] }));

const Field = Node.create(any("input", { name: "field", group: "inline", inline: true, atom: true, parseHTML: () => [{ tag: "input, button, select, textarea" }] }));

const Glyph = Node.create(any("http://www.w3.org/2000/svg svg", { name: "glyph", group: "inline", inline: true, atom: true, parseHTML: () => [{ tag: "svg" }] }));

/** An attribute's name does not reveal what it becomes. */
const Widget = Node.create({
  name: "widget",
  group: "block",
  atom: true,
  addAttributes: () => Object.fromEntries(["first", "second", "third", "fourth"].map((name) => [name, { default: null, rendered: false }])),
  parseHTML: () => [{ tag: "div[data-widget]" }],
  renderHTML: ({ node: { attrs } }) => [
    "div",
    { "data-widget": "", style: attrs.fourth, onmouseover: attrs.second },
    ["img", { src: attrs.first ?? "data:,", onerror: attrs.second }],
    ["iframe", { src: attrs.first, srcdoc: attrs.third }],
  ],
});

const Hint = Mark.create(any("span", { name: "hint", content: "inline", parseHTML: () => [{ tag: "span" }] }));

/** A link of the app. */
const Jump = Mark.create(any("a", { name: "jump", content: "inline", parseHTML: () => [{ tag: "font" }] }));

export const hostile = [Embed, Card, Form, Field, Glyph, Widget, Hint, Jump];
