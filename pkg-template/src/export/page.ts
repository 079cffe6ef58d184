/** A document or a book as one HTML page, and on paper. */

import { CopydeskError, check } from "../base/error.js";
import { bodyOf, escape } from "./html.js";
import type { PendingOptions } from "./pending.js";
import { isRightToLeft } from "./direction.js";
import type { Exportable } from "./publication.js";
import { readable, type ReadableBook } from "./readable.js";
import { PAGE_STYLESHEET, STYLESHEET } from "./stylesheet.js";

/**
 * Writes a standalone HTML page. A book has a table of contents. Images keep their URLs.
 *
 * @throws a {@link CopydeskError} with the code `invalid_parameter`.
 */
export function toHTML(publication: Exportable, { pending }: PendingOptions = {}): string {
  const book = readable(publication, pending);
  const { title, author, language, chapters } = book;
  const isBook = chapters.length > 1;
  const isRTL = isRightToLeft(language);
  const sections = chapters.map(({ json, footnotes }, index) => {
    const form = { chapter: index + 1, footnotes, isEPUB: false, isRightToLeft: isRTL };
    const link = (href: unknown) => linkIn(book, href, index);
    const body = bodyOf(json, { image: (src) => src, link, book: form });
    return `<section id="chapter-${index + 1}">\n${body}\n</section>`;
  });
  const entries = chapters.map((chapter, index) => {
    return `<li><a href="#chapter-${index + 1}">${escape(chapter.title)}</a></li>`;
  });
  const contents = isBook ? `<nav>\n<h1>${escape(title)}</h1>\n<ol>\n${entries.join("\n")}\n</ol>\n</nav>\n` : "";
  return `<!doctype html>
<html lang="${escape(language)}"${isRTL ? ' dir="rtl"' : ""}>
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
${author ? `<meta name="author" content="${escape(author)}" />\n` : ""}<title>${escape(title)}</title>
<style>${STYLESHEET}${PAGE_STYLESHEET}</style>
</head>
<body>
${contents}${sections.join("\n")}
</body>
</html>
`;
}

function linkIn({ resolve }: ReadableBook, href: unknown, chapter: number): string | undefined {
  const target = resolve(href, chapter);
  if (!target || "url" in target) return target?.url;
  return `#${target.place.id ?? `chapter-${target.place.chapter + 1}`}`;
}

/**
 * Opens the browser's print dialog for a document or a book, from which it can be saved as PDF. Resolves when the
 * dialog was opened; the images are loaded before.
 *
 * @throws a {@link CopydeskError} with the code `invalid_parameter` outside of pages.
 */
export async function printPublication(publication: Exportable, options: PendingOptions = {}): Promise<void> {
  const html = toHTML(publication, options);
  const page = globalThis.document;
  check(page !== undefined, "document", page, "a page's: printing needs a browser. In Node, print the page of toHTML");
  const frame = page.createElement("iframe");
  frame.style.cssText = "position: fixed; width: 0; height: 0; border: 0; visibility: hidden";
  frame.title = "print";
  // No script of the content runs; the page may call print() on it.
  frame.setAttribute("sandbox", "allow-same-origin allow-modals");
  const loaded = new Promise((resolve) => frame.addEventListener("load", resolve, { once: true }));
  frame.srcdoc = html;
  page.body.append(frame);
  await loaded;
  const view = frame.contentWindow;
  if (!view) {
    frame.remove();
    const message = "The page for printing was not opened. Save the page of toHTML and print it.";
    throw new CopydeskError({ code: "print_failed", message, details: {} });
  }
  // An image that fails is printed as its description.
  await Promise.allSettled([...view.document.images].map((image) => image.decode()));
  view.addEventListener("afterprint", () => frame.remove(), { once: true });
  view.print();
}
