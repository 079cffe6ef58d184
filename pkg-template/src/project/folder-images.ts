/** The images of a folder that the files in it refer to. */

/** The largest image, in bytes. */
const LARGEST = 10_000_000;

/** Reads the image with a path in a folder; undefined if there is none. */
export async function imageIn(folder: FileSystemDirectoryHandle, path: string): Promise<Blob | undefined> {
  const names = path.split("/");
  // Hidden files are not part of the book.
  if (names.some((name) => name === "" || name.startsWith("."))) return undefined;
  try {
    let directory = folder;
    for (const name of names.slice(0, -1)) directory = await directory.getDirectoryHandle(name);
    const file = await (await directory.getFileHandle(names.at(-1)!)).getFile();
    return file.type.startsWith("image/") && file.size <= LARGEST ? file : undefined;
  } catch (error) {
    const isMissing = error instanceof DOMException && ["NotFoundError", "TypeMismatchError"].includes(error.name);
    // Names that the file system cannot have are TypeErrors.
    if (isMissing || error instanceof TypeError) return undefined;
    throw error;
  }
}
