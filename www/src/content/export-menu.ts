/** The menu that exports the document or the whole book. What makes the files is loaded with the first export. */
import type { Editor } from "@tiptap/core";
import type {} from "copydesk/authorship";
import type { ImageReader } from "copydesk/export";
import { hunksOf } from "copydesk/tiptap";
import { html, nothing } from "lit";
import { moreMenu, type MenuItem } from "../chat/menu";
import { showForm } from "../dialog";
import type { Template } from "../draw";
import { loadPart, reasonOf } from "../lazy";
import { messages, type Messages } from "../locale";
import type { Notices } from "../notices";
import type { OpenedMarkdown } from "copydesk/markdown";
import type { Chapters } from "copydesk/project";
import { askPending } from "./ask-pending";
import type { Format } from "./export";
import { field, radios, textOf } from "./fields";

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

export function exportMenu(editor: Editor, options: ExportOptions): Template {
  const items = FORMATS.map((format): MenuItem => {
    const name = (m: Messages) => m.files.export[format];
    return { name, run: () => void attempt(options.notices, () => exportDocument(editor, format, options)) };
  });
  const book: MenuItem = {
    name: (m) => m.files.export.book,
    when: options.hasBook,
    run: () => void attempt(options.notices, () => askForBook(editor, options)),
  };
  const all = [...items, book];
  const look = { icon: "save", name: (m: Messages) => m.export } as const;
  return () => moreMenu(all, look);
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
  const { export: words, pending: ofPending } = messages().files;
  const onSubmit = (values: FormData) => {
    const format = values.get("format") as Format;
    const [title, author] = [textOf(values, "title"), textOf(values, "author")];
    void attempt(notices, async () => {
      const { bookOf, exportAs } = await loadPart(() => import("./export"));
      return exportAs(format, await bookOf(chapters, { title, author }), image);
    });
  };
  const formats = FORMATS.map((format) => [format, words.formats[format]] as const);
  const hint = (text: string) => html`<p class="field-hint">${text}</p>`;
  showForm(
    { id: "book", title: words.bookTitle, submit: words.run, onSubmit },
    html`${hint(words.chapters(chapters.length))}
      ${
        skipped.length
          ? html`${hint(words.leftOut(skipped.length))}
              <ul class="left-out">
                ${skipped.map(({ message }) => html`<li>${message}</li>`)}
              </ul>`
          : nothing
      }
      ${pending ? hint(ofPending.book(pending)) : nothing}
      <div class="fields">
        ${field(words.title, "book-title", html`<input type="text" id="book-title" name="title" autocomplete="off" />`)}
        ${field(
          words.author,
          "book-author",
          html`<input type="text" id="book-author" name="author" autocomplete="name" />`,
        )}
        ${radios("format", words.format, formats, "epub")}
      </div>`,
  );
  return [];
}
