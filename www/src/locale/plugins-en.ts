/** English messages about skills, servers and rules. `plugins-zh.ts` has the same keys. */

export const plugins = {
  tab: "Skills, servers and rules",
  notLoaded: "This part of the page could not be loaded. Check the network, and try again.",
  notSaved:
    "Your rules, skills and servers could not be saved: this browser has no room. They are gone when you close the page.",
  rulesFound: (folder: string, names: readonly string[]) =>
    `The folder ${folder} has instructions for the assistant: ${names.join(", ")}. It follows them only if you agree.`,
  readRules: "Read them",
  useRules: "Use",
  refuseRules: "Do not use",
};
