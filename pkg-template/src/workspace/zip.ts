/** Export and import of a workspace as a zip file. */

import type { Entry } from "@zip.js/zip.js";
import { joined } from "../base/bytes.js";
import { check, type CopydeskError } from "../base/error.js";
import { localeOf } from "../base/locale.js";
import { loadZip, PLAIN } from "../loading/zip-library.js";
import type { Locale, SkippedFile, Workspace } from "../types/index.js";
import { checkSize, decoded, LARGEST_FILE } from "./content.js";
import { chineseIn, encodedAs, type DecodedText } from "./encoding.js";
import { workspaceError } from "./error.js";
import { Transfer, type CopyOptions, type ImportedFiles } from "./transfer.js";

export interface ImportOptions extends CopyOptions {
  /** The most bytes that the files of the zip may have together. Default: 200,000,000. */
  maxBytes?: number;
}

/** The default of `maxBytes`. */
const LARGEST_ZIP = 200_000_000;
/** The most entries of a zip file. */
const MOST_ENTRIES = 20_000;

/** A zip file, with the files of the workspace that are not in it. */
export type ZipBlob = Blob & { readonly skipped: SkippedFile[] };

/**
 * Packs all text files, in their encodings. `skipped` names those that are left out: files that are not text, are too
 * large, or have a name that no path leads to. Fails with `zip_too_large` for more files than `importZip` reads.
 */
export async function zipOf(workspace: Workspace): Promise<ZipBlob> {
  const { BlobWriter, Uint8ArrayReader, ZipWriter } = await loadZip();
  const zip = new ZipWriter(new BlobWriter("application/zip"), PLAIN);
  const skipped: SkippedFile[] = [];
  let count = 0;
  for await (const files of workspace.readAll({ skipped: (file) => skipped.push(file) })) {
    count += files.length;
    if (count > MOST_ENTRIES) throw tooMany();
    for (const { path, text, encoding = "utf-8" } of files) {
      await zip.add(path, new Uint8ArrayReader(encodedAs(text, encoding)));
    }
  }
  return Object.assign(await zip.close(), { skipped });
}

/**
 * Unpacks a zip file into a workspace. Skips what is not a text, has no valid path, exists already or is damaged, and
 * instructions for agents unless the user has agreed to them. Writes nothing of a file whose directory is damaged
 * (`zip_damaged`), whose files are larger together than `maxBytes` (`zip_too_large`), or that is a document such as a DOCX
 * or EPUB (`zip_is_document`).
 */
export async function importZip(
  workspace: Workspace,
  zip: Blob | ArrayBuffer | Uint8Array<ArrayBuffer>,
  options: ImportOptions = {},
): Promise<ImportedFiles> {
  const transfer = new Transfer(workspace, options);
  const { locale } = transfer;
  const { maxBytes = LARGEST_ZIP } = options;
  check(typeof maxBytes === "number" && maxBytes > 0, "maxBytes", maxBytes, "a positive number");
  const blob = zip instanceof Blob ? zip : new Blob([zip]);
  const start = new Uint8Array(await blob.slice(0, 4).arrayBuffer());
  // An empty zip file begins with the end of its directory.
  const isZip = start[0] === 0x50 && start[1] === 0x4b && [0x03, 0x05].includes(start[2] ?? 0);
  check(isZip, "zip", "other data", "the content of a zip file");
  const entries = await entriesOf(blob, locale);
  // By the name: a damaged attribute must not turn a file into a folder.
  const files = entries.filter(({ filename }) => !filename.endsWith("/"));
  const path = nameOf(blob);
  const format = documentFormat(new Set(files.map(({ filename }) => filename)));
  if (format) throw workspaceError("zip_is_document", { path, format }, locale);
  // Larger files are skipped without being unpacked.
  const size = files.reduce((sum, { uncompressedSize: one }) => sum + (one > LARGEST_FILE ? 0 : one), 0);
  if (size > maxBytes) throw workspaceError("zip_too_large", { path, size, limit: maxBytes, unit: "bytes" }, locale);
  for (const entry of files) await transfer.add(entry.filename, (path) => textOf(entry, path, locale));
  return transfer.result;
}

/** Reads the directory of a zip file. */
async function entriesOf(blob: Blob, locale: Locale): Promise<Entry[]> {
  const { BlobReader, ZipReader } = await loadZip();
  const reader = new ZipReader(new BlobReader(blob), {
    useWebWorkers: false,
    checkCrc32: true,
    checkOverlappingEntry: true,
    // What programs could read in two ways is damaged.
    strictness: "strict",
    // The rules of paths say more.
    filenameValidation: "tolerant",
    decodeText: (bytes) => nameIn(bytes, locale),
  });
  const path = nameOf(blob);
  const entries: Entry[] = [];
  try {
    for await (const entry of reader.getEntriesGenerator()) {
      if (entries.push(entry) <= MOST_ENTRIES) continue;
      throw workspaceError(
        "zip_too_large",
        { path, size: `> ${MOST_ENTRIES}`, limit: MOST_ENTRIES, unit: "entries" },
        locale,
      );
    }
    return entries;
  } catch (cause) {
    if ((cause as { code?: unknown }).code === "zip_too_large") throw cause;
    throw workspaceError("zip_damaged", { path }, locale, { cause });
  }
}

function tooMany(): CopydeskError {
  return workspaceError("zip_too_large", { limit: MOST_ENTRIES, unit: "entries" }, localeOf(undefined));
}

/** Unpacks an entry, as long as it has no more bytes than the directory says. */
async function textOf(entry: Entry, path: string, locale: Locale): Promise<DecodedText> {
  checkSize(path, entry.uncompressedSize, locale);
  const chunks: Uint8Array[] = [];
  let left = entry.uncompressedSize;
  const target = new WritableStream<Uint8Array>({
    write(chunk) {
      left -= chunk.length;
      if (left < 0) throw new RangeError("it is larger than the directory says");
      chunks.push(chunk);
    },
  });
  try {
    if (entry.directory) throw new Error("its attributes are those of a folder");
    await entry.getData(target);
  } catch (cause) {
    throw workspaceError("zip_damaged", { path }, locale, { cause });
  }
  return decoded(path, joined(chunks), locale);
}

/** A file that is in every document of a format. */
const DOCUMENTS = [
  ["word/document.xml", "DOCX"],
  ["xl/workbook.xml", "XLSX"],
  ["ppt/presentation.xml", "PPTX"],
  ["META-INF/container.xml", "EPUB"],
  // OpenDocument, such as ODT.
  ["META-INF/manifest.xml", "OpenDocument"],
] as const;

/** Returns the format of a document that is stored as a zip file; undefined for a folder of files. */
function documentFormat(names: ReadonlySet<string>): string | undefined {
  return DOCUMENTS.find(([name]) => names.has(name))?.[1];
}

/**
 * Returns the text of a name that does not say its character set. Many programs write UTF-8, and Chinese versions of
 * Windows GBK: also names that do not read as Chinese are in it where that is the language. Others are left to the
 * library.
 */
function nameIn(bytes: Uint8Array, locale: Locale): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    const chinese = chineseIn(bytes)?.text;
    return chinese ?? (locale === "zh-CN" ? gb18030In(bytes) : undefined);
  }
}

function gb18030In(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("gb18030", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function nameOf(blob: Blob): string {
  return (blob as Partial<File>).name ?? "zip";
}
