/** English words about skills, servers and rules. */

import { englishNumber as grouped } from "./numbers.js";

const plural = (n: number, one: string, many = `${one}s`) => `${grouped(n)} ${n === 1 ? one : many}`;
const skill = (name?: string) => (name ? `the skill “${name}”` : "a skill");

export const plugins = {
  settingsChanged: (changes: string) => `Settings changed: ${changes}`,
  /** Tools of the assistant that a change of settings may add or remove. */
  tools: { activate_skill: "loading skills", read_file: "reading files" } as Record<string, string>,
  toolOf: (server: string, tool: string) => `${server}: ${tool}`,
  setup: (skills: number, servers: number, rules: number) =>
    `With ${[rules && plural(rules, "rule"), skills && plural(skills, "skill"), servers && plural(servers, "server")].filter(Boolean).join(", ")}`,
  ruleRow: (number: number, text: string) => `Rule ${number}: ${text}`,
  skillRow: (name: string) => `Skill: ${name}`,
  serverRow: (name: string, tools: number) => `Server: ${name} · ${plural(tools, "tool")}`,
  requested: { tool: (name: string) => `Use ${name}`, skill: (name?: string) => `Load ${skill(name)}` },
  working: {
    tool: (name: string) => `Using ${name}`,
    skill: (name?: string) => `Loading ${skill(name)}`,
    skillFile: (file: string, name: string) => `Reading ${file} of ${skill(name)}`,
  },
  done: {
    tool: (name: string) => `Used ${name}`,
    skill: (name?: string) => `Loaded ${skill(name)}`,
    skillFile: (file: string, name: string) => `Read ${file} of ${skill(name)}`,
  },
  failedTo: {
    tool: (name: string) => `${name} failed`,
    skill: (name?: string) => `Could not load ${skill(name)}`,
    skillFile: (file: string, name: string) => `Could not read ${file} of ${skill(name)}`,
  },
  /** Calls about comments: before approval, while they run, when they are done, and failed. */
  comments: {
    list_comments: ["Read the comments", "Reading the comments", "Read the comments", "Could not read the comments"],
    add_comment: ["Write a comment", "Writing a comment", "Wrote a comment", "Could not write a comment"],
    reply_to_comment: ["Answer a comment", "Answering a comment", "Answered a comment", "Could not answer a comment"],
    resolve_comment: ["Resolve a comment", "Resolving a comment", "Resolved a comment", "Could not resolve a comment"],
  } as Record<string, readonly string[]>,
  given: (name: string, value: string) => `${name}: ${value}`,
  values: { none: "none", yes: "yes", no: "no", list: (parts: readonly string[]) => parts.join(", ") },
  moreLines: (count: number) => `… and ${plural(count, "more line")}`,
  resultImage: (number: number) => `Image ${number} of the result`,
};
