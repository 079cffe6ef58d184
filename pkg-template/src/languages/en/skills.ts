/** The failures and remarks of skills. Each names the source, the cause and the way out. */

/** Makes a text of the details of a failure. */
type Text = (details: Record<string, unknown>) => string;

export const skills = {
  problems: {
    skill_unreachable: ({ origin, reason }) =>
      `The skills of ${origin} could not be loaded: ${reason}. Check the URL and the network, then refresh the source.`,
    skill_timeout: ({ origin, ms }) =>
      `The skills of ${origin} did not arrive within ${ms} ms. Refresh the source to try again.`,
    skill_late: ({ origin, ms }) =>
      `The skills of ${origin} are still loading after ${ms} ms. The agent goes on without them.`,
    skill_cors: ({ origin, host }) =>
      `The skills of ${origin} could not be loaded: ${host} answers, but does not let pages read its answers ` +
      "(CORS: Access-Control-Allow-Origin is missing). Use a host that does, or for a git repository a `corsProxy`.",
    skill_denied: ({ origin, status }) =>
      `The skills of ${origin} could not be loaded: access was refused (${status}). Use a public source, or add the ` +
      "authorization in the option `fetch`.",
    skill_rate_limited: ({ origin, host }) =>
      `The skills of ${origin} could not be loaded: ${host} allows no more requests at the moment. ` +
      "Refresh the source later.",
    skill_not_found: ({ origin }) => `The source ${origin} was not found, or is not public. Check its URL.`,
    skill_ref_not_found: ({ origin, ref }) =>
      `${origin} has no branch, tag or commit ${ref}, or is not public. Check \`ref\` and the URL.`,
    skill_missing: ({ origin, path }) =>
      `${origin} has no skill in ${path || "its root"}: there is neither a SKILL.md nor a README.md. Check \`path\`.`,
    skill_invalid: ({ origin, path, reason }) =>
      `The skill ${path} of ${origin} was skipped: ${reason}. Correct the file there.`,
    skill_too_large: ({ origin, what, limit, unit }) =>
      `${what} of ${origin} was skipped: it is larger than ${limit} ${unit}. Choose a smaller part by \`path\`, or ` +
      "raise the limit.",
    skill_html: ({ origin, path }) =>
      `${origin} answered with a web page instead of ${path}: it may need a login. Use the URL of the files ` +
      "themselves.",
    skill_not_git: ({ origin, reason }) =>
      `${origin} did not answer as a git server: ${reason}. Check the URL, and that the repository can ` +
      "be cloned by HTTP.",
    skill_redirected: ({ origin, to }) =>
      `${origin} redirects to ${to}, another server. If you trust that one, use its URL.`,
    skill_library_missing: ({ origin, name, reason }) =>
      `The skills of ${origin} could not be loaded: the package ${name} is missing (${reason}). Install it: ` +
      `npm install ${name}.`,
    skill_no_workspace: ({ origin }) =>
      `The skills of ${origin} could not be loaded: the agent has no workspace. Pass it one, or use a URL.`,
    skill_duplicate: ({ origin, name, first }) =>
      `The skill ${name} of ${origin} was skipped: ${first} has one with this name. Rename or disable one of them.`,
    skill_adapted: ({ origin, path, reason }) =>
      `The skill ${path} of ${origin} breaks a rule of the format: ${reason}.`,
    skill_files_skipped: ({ origin, name, count, reason }) =>
      `${count} files of the skill ${name} of ${origin} cannot be read: ${reason}.`,
    skill_not_stored: ({ origin, reason }) =>
      `The skills of ${origin} work, but could not be stored: ${reason}. They are fetched again after the next start.`,
  } satisfies Record<string, Text>,
  reasons: {
    noEnd: "its front matter has no end: a line --- is missing",
    noMatter: "it has no front matter",
    noLetters: (name: string) => `its name ${name} has no lowercase letters or digits (a-z, 0-9)`,
    renamed: (given: string, name: string) => `the name ${given} became ${name}`,
    named: (name: string) => `it has no name; it is called ${name}`,
    otherFolder: (name: string, folder: string) => `its name ${name} is not that of its folder ${folder}`,
    noDescription: "it has no description, and no paragraph to take one from",
    firstParagraph: "it has no description; its first paragraph is used",
    cut: (limit: number) => `its description was cut to ${limit} characters`,
    noInstructions: "it has no instructions after the front matter",
    inLfs: "it is kept in Git LFS, which is not read",
    longMatter: (limit: number) => `its front matter is longer than ${limit} characters`,
    readOneByOne: (names: string) =>
      `its front matter is not valid YAML; its fields were read one by one${names && `, as plain text: ${names}`}`,
    unreadableMatter: (reason: string) => `its front matter cannot be read (${reason})`,
    symbolicLink: (path: string) => `${path} is a symbolic link`,
    notUtf8: "it is not a text in UTF-8",
    notJSON: (host: string) => `${host} did not answer with JSON`,
    redirects: "it redirects too often",
    noAnswer: (host: string) => `${host} does not answer`,
    answered: (host: string, answer: string) => `${host} answered ${answer}`,
    noCommit: "the server names no commit",
  },
  /** The reasons why files of a skill were skipped. */
  skipped: {
    link: "they are symbolic links, which are not followed",
    submodule: "they are submodules, which are not loaded",
    path: "their paths are not valid",
    number: "the skill has more files than allowed (`maxFiles`)",
    size: "they exceed the limit of bytes (`maxBytes`)",
    lfs: "they are kept in Git LFS, which is not read",
  },
  /** The names of things that are too large. */
  things: { skills: "The list of skills", files: "The list of files", content: "the content" },
  units: { bytes: "bytes", skills: "skills", entries: "entries" },
};
