/** Saves the document as a file: Markdown, or HTML that stands alone. */
import type { Editor } from "@tiptap/core";
import { languageOf } from "../dom";
import { download } from "../files";
import { withDataUrls } from "./own-images";

export async function exportMarkdown(editor: Editor): Promise<void> {
  const { MarkdownManager } = await import("@tiptap/markdown");
  const manager = new MarkdownManager({ extensions: editor.extensionManager.baseExtensions });
  download(
    `${fileName(editor)}.md`,
    `${(await withDataUrls(manager.serialize(editor.getJSON()))).trimEnd()}\n`,
    "text/markdown",
  );
}

export async function exportHtml(editor: Editor): Promise<void> {
  const page = document.implementation.createHTMLDocument(titleOf(editor));
  page.documentElement.lang = languageOf(editor.getText());
  const charset = page.createElement("meta");
  charset.setAttribute("charset", "utf-8");
  page.head.prepend(charset);
  page.body.innerHTML = editor.getHTML();
  download(
    `${fileName(editor)}.html`,
    await withDataUrls(`<!doctype html>\n${page.documentElement.outerHTML}\n`),
    "text/html",
  );
}

function titleOf(editor: Editor): string {
  let title = "";
  editor.state.doc.forEach((node) => {
    if (!title && node.type.name === "heading") title = node.textContent.trim();
  });
  return title;
}

/** Returns the document's title without what file systems refuse. */
function fileName(editor: Editor): string {
  return (
    titleOf(editor)
      .replace(/[\\/:*?"<>|\p{Cc}]+/gu, " ")
      .replace(/\s+/g, " ")
      .trim()
      .slice(0, 60) || "document"
  );
}
