/** `copydesk/pdf`: reads PDF files that are attached to messages as text. The library unpdf is loaded with the first one. */

import type { AttachmentReader } from "./assistant/attachment.js";
import { notInstalled } from "./loading/optional-library.js";

export type { AttachmentReader };

const unpdf = { name: "unpdf", code: "pdf_not_installed", instead: "attach the text" };

/** Reads PDF files as text, page by page. Fails with `pdf_not_installed`; scanned pages have no text. */
export const pdf: AttachmentReader = {
  accepts: ({ name, type }) => type === "application/pdf" || /\.pdf$/i.test(name),
  async read(file) {
    const { getDocumentProxy, extractText } = await loadLibrary();
    const document = await getDocumentProxy(new Uint8Array(await file.arrayBuffer()));
    try {
      const { text } = await extractText(document);
      return text
        .map((page) => page.trim())
        .filter(Boolean)
        .join("\n\n");
    } finally {
      await document.loadingTask.destroy();
    }
  },
};

async function loadLibrary(): Promise<typeof import("unpdf")> {
  try {
    return await import("unpdf");
  } catch (cause) {
    throw notInstalled(unpdf, cause);
  }
}
