/** The errors of workspaces. */

/** Makes a text of the details of a failure. */
type Text = (details: Record<string, unknown>) => string;

export const workspace = {
  errors: {
    file_not_found: ({ path }) => `There is no file ${path}. List the files to see their paths.`,
    directory_not_found: ({ path }) => `There is no directory ${path}. Create it, or correct the path.`,
    invalid_path: ({ path, reason }) =>
      `${path} is not a valid path: ${reason}. Use a relative path such as chapters/ch001.md.`,
    permission_denied: ({ path }) =>
      `${path} cannot be accessed: permission is missing or was withdrawn. Allow access to the folder again.`,
    file_protected: ({ path }) =>
      `${path} is written by the user only: it has rules, or belongs to a skill. Change it in the workspace.`,
    not_text: ({ path }) =>
      `${path} is not a text: it contains a NUL, or is in none of the encodings UTF-8, UTF-16 with a byte order mark ` +
      "and GB 18030. Save it as UTF-8 if it is one.",
    not_encodable: ({ path, encoding, characters }) =>
      `${path} was not written: ${encoding}, its encoding, ` +
      (characters ? `does not have ${characters}. Replace these characters` : "would change bytes of its old text") +
      ". The user can save it as UTF-8 first.",
    file_too_large: ({ path, size, limit }) =>
      `${path} has ${size} bytes; at most ${limit} are possible. Split the file.`,
    file_exists: ({ path }) => `${path} exists already. Choose another path, or read it and write it with its version.`,
    file_changed: ({ path }) => `${path} was changed meanwhile. Read it again, then repeat the change.`,
    version_not_found: ({ path, id }) => `${path} has no version ${id}. List its versions to see their ids.`,
    storage_full: ({ path }) => `${path} was not written: the storage is full. Free some space, then try again.`,
    storage_failed: ({ path, reason }) => `The storage failed at ${path}: ${reason}. Try again, or reload the page.`,
    search_timeout: ({ pattern, ms }) =>
      `The search for ${pattern} was stopped after ${ms} ms. Use a simpler pattern, or search in fewer files.`,
    invalid_pattern: ({ pattern, reason }) =>
      `${pattern} is not a valid regular expression: ${reason}. Correct it, or search for it as plain text.`,
    search_unavailable: ({ reason }) =>
      `Regular expressions need a worker that can be stopped, and it did not load: ${reason}. Search for plain text, or ` +
      "pass the agent or the index a worker (docs/workspace.md).",
    zip_damaged: ({ path }) =>
      `${path} cannot be unpacked: the zip file is damaged or encrypted. Pack it again without a password.`,
    // Without a path files were packed.
    zip_too_large: ({ path, size, limit, unit }) =>
      path === undefined
        ? `The files were not packed: there are more than ${limit}, which no import would read again. Copy their folder instead.`
        : `${path} was not unpacked: it has ${size} ${unit} (at most ${limit}). Unpack it on the ` +
          "disk, and import a part of it.",
    zip_is_document: ({ path, format }) =>
      `${path} was not unpacked: it is a document (${format}), not a folder of texts. Save it as Markdown or plain text ` +
      "in the program that it is of, or convert it, and import that.",
    instruction_skipped: ({ path }) =>
      `${path} was not imported: agents follow it as an instruction. Read it, and import it by name if you trust its ` +
      "author.",
    disposed: ({ path }) => `The workspace ${path} was closed. Open it again.`,
  } satisfies Record<string, Text>,
  /** The reasons why a path is not valid, and a storage failed. */
  reasons: {
    notText: "it is not a text",
    empty: "it is empty",
    halfCharacter: "it contains half of a character",
    absolute: "it is absolute",
    drive: "it names a drive",
    long: (limit: number) => `it is longer than ${limit} bytes`,
    emptyPart: "a part between two / is empty",
    contains: (part: string) => `it contains ${part}`,
    containsPart: (part: string) => `it contains the part ${part}`,
    dotFirst: (part: string) => `${part} begins with a dot`,
    control: "it contains a control character",
    dotLast: (part: string) => `${part} ends with a dot or a space`,
    spaceFirst: "a part begins with a space",
    device: (part: string) => `${part} is the name of a device on Windows`,
    longPart: (limit: number) => `a part is longer than ${limit} bytes`,
    storedForm: "its name is stored in a form that cannot be asked for",
    folder: (path: string) => `${path} is a folder`,
    file: (path: string) => `${path} is a file, not a folder`,
    damaged: "its stored data is damaged",
  },
};
