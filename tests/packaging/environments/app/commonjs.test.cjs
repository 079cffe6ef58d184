const { Document, init } = require("copydesk");
const { Editor } = require("@tiptap/core");
const { default: StarterKit } = require("@tiptap/starter-kit");
const { Copydesk } = require("copydesk/tiptap");

const update = { operation: "replace", sectionIndex: 1, content: "<p>New.</p>" };

test("a document", async () => {
  await init();
  const article = Document.fromHTML("<h2>A</h2><p>Old.</p>");
  article.apply(update);
  expect(article.toHTML()).toBe("<h2>A</h2><p>New.</p>");
});

const inPage = typeof document === "undefined" ? test.skip : test;

inPage("an editor", async () => {
  await init();
  const element = document.createElement("div");
  const editor = new Editor({ element, extensions: [StarterKit, Copydesk], content: "<h2>A</h2><p>Old.</p>" });
  editor.storage.copydesk.document.apply(update);
  expect(editor.getHTML()).toBe("<h2>A</h2><p>New.</p>");
  editor.destroy();
});
