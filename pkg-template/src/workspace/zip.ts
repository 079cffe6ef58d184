/** Export and import of a workspace as a zip file. */

import { joined } from "../bytes.js";
import { check, CopydeskError } from "../error.js";
import { localeOf } from "../locale.js";
import { nextTask } from "../next-task.js";
import type { Locale, Workspace } from "../types.js";
import { decoded, encoded, LARGEST_FILE } from "./content.js";
import { workspaceError } from "./error.js";
import { checkedPath } from "./paths.js";
import { crc32, directoryOf, type DirectoryEntry } from "./zip-directory.js";

export interface ImportOptions {
  /** True if files that exist are replaced; their versions stay. Default: false. */
  overwrite?: boolean;
  /** The language of errors. Default: the page's. */
  locale?: Locale;
}

export interface ImportedFiles {
  /** The paths of the files that were written. */
  written: string[];
  /** The files that were not written, with the error of each. */
  skipped: { path: string; code: string; message: string }[];
}

/** The bytes that are packed or unpacked in one task. */
const AT_ONCE = 64 * 1024;

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
 * Unpacks a zip file into a workspace. What is not a text, has no valid path, exists already or is damaged is skipped. A
 * file whose end is missing is refused as a whole: `zip_damaged`.
 */
export async function importZip(
  workspace: Workspace,
  zip: Blob | ArrayBuffer | Uint8Array<ArrayBuffer>,
  { overwrite = false, locale: tag }: ImportOptions = {},
): Promise<ImportedFiles> {
  const locale = localeOf(tag);
  const blob = zip instanceof Blob ? zip : new Blob([zip]);
  const start = new Uint8Array(await blob.slice(0, 4).arrayBuffer());
  // An empty zip file begins with the end of its directory.
  const isZip = start[0] === 0x50 && start[1] === 0x4b && [0x03, 0x05].includes(start[2] ?? 0);
  check(isZip, "zip", "other data", "the content of a zip file");
  const directory = await directoryOf(blob);
  if (!directory) throw workspaceError("zip_damaged", { path: (blob as Partial<File>).name ?? "zip" }, locale);
  const result: ImportedFiles = { written: [], skipped: [] };
  const skip = (path: string, { code, message }: CopydeskError) => void result.skipped.push({ path, code, message });
  for await (const { path: name, bytes } of unzipped(blob, directory)) {
    try {
      const path = checkedPath(name, locale);
      if (!bytes) throw workspaceError("zip_damaged", { path }, locale);
      const text = decoded(path, bytes, locale);
      await workspace.write(path, text, overwrite ? {} : { expected: null });
      result.written.push(path);
    } catch (thrown) {
      // Without these the other files cannot be written either.
      const isFinal = ["storage_full", "permission_denied", "disposed"].includes((thrown as CopydeskError).code);
      if (!(thrown instanceof CopydeskError) || isFinal) throw thrown;
      skip(name, thrown);
    }
  }
  return result;
}

/** One entry; without bytes it is damaged. */
interface Entry {
  path: string;
  bytes?: Uint8Array<ArrayBuffer>;
}

/** Unpacks the files of a zip. Of a file over the limit only the first bytes are kept: one more than the limit. */
async function* unzipped(blob: Blob, directory: readonly DirectoryEntry[]): AsyncIterable<Entry> {
  const { Unzip, UnzipInflate } = await import("fflate");
  const done: Entry[] = [];
  // The checksums of those that have not come: what never comes is damaged, too.
  const open = new Map<string, number[]>();
  for (const { name, crc } of directory) {
    if (name.endsWith("/")) continue;
    const path = nameOf(name);
    open.set(path, [...(open.get(path) ?? []), crc]);
  }
  const unzip = new Unzip((file) => {
    if (file.name.endsWith("/")) return;
    const path = nameOf(file.name);
    const chunks: Uint8Array[] = [];
    let [size, crc] = [0, 0];
    const finish = (bytes?: Uint8Array<ArrayBuffer>) => {
      // One that the directory does not have is damaged, too.
      const isWhole = crc === open.get(path)?.shift();
      done.push(bytes && isWhole ? { path, bytes } : { path });
    };
    file.ondata = (error, chunk, isLast) => {
      if (error) return finish();
      if (size <= LARGEST_FILE) chunks.push(chunk.slice(0, LARGEST_FILE + 1 - size));
      size += chunk.length;
      crc = crc32(chunk, crc);
      if (isLast) finish(joined(chunks));
    };
    file.start();
  });
  unzip.register(UnzipInflate);
  for (let at = 0; at < blob.size; at += AT_ONCE) {
    const slice = new Uint8Array(await blob.slice(at, at + AT_ONCE).arrayBuffer());
    try {
      unzip.push(slice, at + AT_ONCE >= blob.size);
    } catch {
      // What follows cannot be read; the files that were begun are reported as damaged.
      break;
    }
    yield* done.splice(0);
    await nextTask();
  }
  yield* done;
  for (const [path, left] of open) for (const _ of left) yield { path };
}

/**
 * Returns the name of an entry. Many programs, such as macOS, write UTF-8 without the flag that says so: `fflate` reads
 * each byte of such a name as a character.
 */
function nameOf(read: string): string {
  if (!/^[\0-\xff]*$/.test(read)) return read;
  try {
    const bytes = Uint8Array.from(read, (character) => character.charCodeAt(0));
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // Another character set, or a name with the flag.
    return read;
  }
}
