/** Export and import of a workspace as a zip file. */

import type { Entry } from "@zip.js/zip.js";
import { joined } from "../bytes.js";
import { check } from "../error.js";
import { nextTask } from "../next-task.js";
import type { Locale, Workspace } from "../types.js";
import { checkSize, decoded, encoded, LARGEST_FILE } from "./content.js";
import { workspaceError } from "./error.js";
import { Transfer, type CopyOptions, type ImportedFiles } from "./transfer.js";

export interface ImportOptions extends CopyOptions {
  /** The most bytes that the files of the zip may have together. Default: 200,000,000. */
  maxBytes?: number;
}

/** The bytes that are packed in one task. */
const AT_ONCE = 64 * 1024;
/** The default of `maxBytes`. */
const LARGEST_ZIP = 200_000_000;
/** The most entries of a zip file. */
const MOST_ENTRIES = 20_000;

/** Packs all text files. */
export async function zipOf(workspace: Workspace): Promise<Blob> {
  const { Zip, ZipDeflate } = await import("fflate");
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let failure: Error | undefined;
  const zip = new Zip((error, chunk) => {
    if (error) failure = error;
    else chunks.push(chunk as Uint8Array<ArrayBuffer>);
  });
  for await (const files of workspace.readAll()) {
    for (const { path, text } of files) {
      const bytes = encoded(text);
      const entry = new ZipDeflate(path);
      zip.add(entry);
      for (let at = 0; at < bytes.length; at += AT_ONCE) {
        entry.push(bytes.subarray(at, at + AT_ONCE));
        if (bytes.length > AT_ONCE) await nextTask();
      }
      entry.push(new Uint8Array(), true);
    }
    await nextTask();
  }
  zip.end();
  if (failure) throw failure;
  return new Blob(chunks, { type: "application/zip" });
}

/**
 * Unpacks a zip file into a workspace. Skips what is not a text, has no valid path, exists already or is damaged, and
 * instructions for agents unless the user has agreed to them. Writes nothing of a file whose directory is damaged
 * (`zip_damaged`), or whose files are larger together than `maxBytes` (`zip_too_large`).
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
  // Larger files are skipped without being unpacked.
  const size = files.reduce((sum, { uncompressedSize: one }) => sum + (one > LARGEST_FILE ? 0 : one), 0);
  if (size > maxBytes) throw workspaceError("zip_too_large", { path, size, limit: maxBytes, unit: "bytes" }, locale);
  for (const entry of files) await transfer.add(entry.filename, (path) => textOf(entry, path, locale));
  return transfer.result;
}

/** Reads the directory of a zip file. */
async function entriesOf(blob: Blob, locale: Locale): Promise<Entry[]> {
  const { BlobReader, ZipReader } = await import("@zip.js/zip.js/lib/zip-core-native.js");
  const reader = new ZipReader(new BlobReader(blob), {
    useWebWorkers: false,
    checkCrc32: true,
    checkOverlappingEntry: true,
    // What programs could read in two ways is damaged.
    strictness: "strict",
    // The rules of paths say more.
    filenameValidation: "tolerant",
    decodeText: (bytes) => textIn(bytes, locale),
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

/** Unpacks an entry, as long as it has no more bytes than the directory says. */
async function textOf(entry: Entry, path: string, locale: Locale): Promise<string> {
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

/**
 * Returns the text of a name that does not say its character set. Many programs write UTF-8, and Chinese versions of
 * Windows GBK; otherwise it is left to the library.
 */
function textIn(bytes: Uint8Array, locale: Locale): string | undefined {
  for (const label of locale === "zh-CN" ? ["utf-8", "gb18030"] : ["utf-8"]) {
    try {
      return new TextDecoder(label, { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch {
      // Another character set.
    }
  }
  return undefined;
}

function nameOf(blob: Blob): string {
  return (blob as Partial<File>).name ?? "zip";
}
