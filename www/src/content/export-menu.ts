/** The menu that exports the document or the whole book. What makes the files is loaded with the first export. */
import type { Editor } from "@tiptap/core";
import type {} from "copydesk/authorship";
import type { ImageReader } from "copydesk/export";
import { hunksOf } from "copydesk/tiptap";
import { moreMenu, type MenuItem } from "../chat/menu";
import { showForm } from "../dialog";
import { h } from "../dom";
import { loadPart, reasonOf } from "../lazy";
import { messages, type Messages } from "../locale";
import type { Notices } from "../notices";
import type { OpenedMarkdown } from "copydesk/markdown";
import type { Chapters } from "copydesk/project";
import { askPending } from "./ask-pending";
import type { Format } from "./export";

export interface ExportOptions {
  notices: Notices;
  /** Returns the file that the editor shows. */
  file: () => { path: string; markdown: OpenedMarkdown } | undefined;
  /** Returns the book's chapters. */
  chapters: () => Promise<Chapters>;
  /** Reads an image of the folder that has the files. */
  image: ImageReader;
  /** Returns true if there is a book. */
  hasBook: () => boolean;
}

const FORMATS: readonly Format[] = ["markdown", "html", "docx", "epub", "pdf"];

export function exportMenu(editor: Editor, options: ExportOptions): HTMLElement {
  const items = FORMATS.map((format): MenuItem => {
    const name = (m: Messages) => m.files.export[format];
    return { name, run: () => void attempt(options.notices, () => exportDocument(editor, format, options)) };
  });
  const book: MenuItem = {
    name: (m) => m.files.export.book,
    when: options.hasBook,
    run: () => void attempt(options.notices, () => askForBook(editor, options)),
  };
  return moreMenu([...items, book], { icon: "save", name: (m) => m.export });
}

async function exportDocument(editor: Editor, format: Format, { file, image }: ExportOptions): Promise<string[]> {
  const pending = await askPending(editor);
  if (!pending) return [];
  const [{ exportAs, publicationOf }, { pendingJSON }] = await loadPart(() =>
    Promise.all([import("./export"), import("copydesk/export")]),
  );
  return exportAs(
    format,
    publicationOf(pendingJSON(editor, pending), file(), editor.storage.authorship?.disclosure),
    image,
  );
}

/** Runs an export and says what the file does not hold, or why it failed. */
async function attempt(notices: Notices, run: () => Promise<string[]>): Promise<void> {
  try {
    const lost = await run();
    if (lost.length) notices.tell("export", (m) => m.files.export.lost(lost));
    else notices.remove("export");
  } catch (error) {
    console.warn(error);
    const reason = reasonOf(error);
    notices.tell("export", (m) => m.files.export.failed(reason(m)));
  }
}

/** Asks for title, author and format, and exports the book. */
async function askForBook(editor: Editor, { notices, chapters: read, image }: ExportOptions): Promise<string[]> {
  const { chapters, skipped } = await read();
  const pending = hunksOf(editor).length;
  const m = messages();
  const title = h("input", { type: "text", id: "book-title", autocomplete: "off" });
  const author = h("input", { type: "text", id: "book-author", autocomplete: "name" });
  const formats = FORMATS.map((format, at) =>
    h(
      "label",
      {},
      h("input", { type: "radio", name: "format", value: format, checked: at === FORMATS.indexOf("epub") }),
      h("span", {}, m.files.export.formats[format]),
    ),
  );
  const onSubmit = (values: FormData) => {
    const format = values.get("format") as Format;
    const about = { title: title.value.trim(), author: author.value.trim() };
    void attempt(notices, async () => {
      const { bookOf, exportAs } = await loadPart(() => import("./export"));
      return exportAs(format, await bookOf(chapters, about), image);
    });
  };
  showForm(
    { id: "book", title: m.files.export.bookTitle, submit: m.files.export.run, onSubmit },
    h("p", { class: "field-hint" }, m.files.export.chapters(chapters.length)),
    skipped.length > 0 && h("p", { class: "field-hint" }, m.files.export.leftOut(skipped.length)),
    skipped.length > 0 && h("ul", { class: "left-out" }, ...skipped.map(({ message }) => h("li", {}, message))),
    pending > 0 && h("p", { class: "field-hint" }, m.files.pending.book(pending)),
    h(
      "div",
      { class: "fields" },
      field(m.files.export.title, title),
      field(m.files.export.author, author),
      h("fieldset", { class: "radios" }, h("legend", {}, m.files.export.format), ...formats),
    ),
  );
  title.focus();
  return [];
}

export function field(label: string, input: HTMLInputElement): HTMLElement {
  return h("div", { class: "field" }, h("label", { for: input.id }, label), h("div", { class: "field-box" }, input));
}
