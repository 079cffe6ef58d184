/**
 * What the demo model does with skills, rules and the tools of servers. It knows them only from its requests, and
 * begins with them: then the rest of the request follows, in texts that keep to the instructions.
 */
import {
  filesNamedIn,
  follow,
  guidanceOf,
  instructionsIn,
  isFollowed,
  skillTextsIn,
  type Guidance,
  type Instruction,
} from "./guidance";
import { guidedReplies, type GuidedReplies } from "./guided-replies";
import { languageOfRequest } from "./intent";
import type { RequestState } from "./script";
import { asObject, type PastCall, type Step, type WireTool } from "./wire";

/** A request with what guides it. */
export interface GuidedRequest {
  state: RequestState;
  system: string;
  tools: readonly WireTool[];
  /** Returns the next step of what remains. */
  next: (state: RequestState) => Step;
}

/** The arguments that become text of the user, by tool. */
const WRITES: Record<string, string> = { update_section: "content", write_chapter: "content", write_file: "content" };

export function guidedStep({ state, system, tools, next }: GuidedRequest): Step {
  const prompt = state.prompts.map(({ text }) => text).join("\n");
  const p = guidedReplies[languageOfRequest(prompt)];
  const guidance = guidanceOf(system);
  const servers = tools.filter(({ function: { name } }) => name.includes("__"));
  const [own, others] = split(state.calls, servers);
  const wanted = skillsFor(prompt, guidance);
  const loading = loadSkills(wanted, guidance, state.tools, own, p);
  if (loading) return loading;
  const { step, results, rest } = useServers(prompt, servers, own, p);
  if (step) return step;
  const sources = sourcesOf(guidance, wanted, own);
  const remaining = { ...state, calls: others, callsSince: split(state.callsSince, servers)[1] };
  const prompts = rest ? [{ number: state.prompts.at(-1)?.number ?? 0, text: rest }] : [];
  const isUnchanged = rest === prompt;
  const after = prompts.length ? next(isUnchanged ? remaining : { ...remaining, prompts }) : {};
  if (after.call) return { ...after, call: guided(after.call, sources) };
  return { text: [...results, after.text, report(sources, others, p)].filter(Boolean).join("\n\n") };
}

/** Returns the calls of skills and servers, and the others. */
function split(calls: readonly PastCall[], servers: readonly WireTool[]): [PastCall[], PastCall[]] {
  const names = new Set(servers.map((tool) => tool.function.name));
  const isOwn = ({ name, arguments: given }: PastCall) =>
    names.has(name) ||
    name.includes("__") ||
    name === "activate_skill" ||
    (name === "read_file" && String(given.path).startsWith("skills/"));
  return [calls.filter(isOwn), calls.filter((call) => !isOwn(call))];
}

/** Words that say nothing about the kind of a task. */
const COMMON = new Set([
  "about",
  "after",
  "their",
  "there",
  "these",
  "other",
  "which",
  "write",
  "writes",
  "using",
  "every",
  "texts",
]);

/** Returns the skills that a request names, or is of their kind. */
function skillsFor(prompt: string, { skills }: Guidance): string[] {
  const asked = prompt.toLowerCase();
  const isOfKind = (description: string) =>
    (description.toLowerCase().match(/[a-z]{5,}/g) ?? []).some(
      (word) => !COMMON.has(word) && new RegExp(`\\b${word.replace(/s$/, "")}`).test(asked),
    ) || (description.match(/\p{Script=Han}{2}/gu) ?? []).some((pair) => asked.includes(pair));
  return skills
    .filter(
      ({ name, description }) =>
        asked.includes(name) || asked.includes(name.replace(/-/g, " ")) || isOfKind(description),
    )
    .map(({ name }) => name);
}

/** Loads the texts of skills that the prompt only lists, and the files that they name. */
function loadSkills(
  wanted: string[],
  { texts }: Guidance,
  tools: Set<string>,
  calls: PastCall[],
  p: GuidedReplies,
): Step | null {
  for (const name of wanted) {
    const loaded = calls.find((call) => call.name === "activate_skill" && call.arguments.name === name);
    const text = texts.get(name) ?? (loaded && skillTextsIn(loaded.text).get(name));
    if (text === undefined) {
      if (loaded || !tools.has("activate_skill")) continue;
      return { text: p.loadSkill(name), call: { name: "activate_skill", arguments: { name } } };
    }
    const unread = filesNamedIn(text, name).find((path) => !calls.some((call) => call.arguments.path === path));
    if (unread && tools.has("read_file"))
      return { text: p.readFile(name), call: { name: "read_file", arguments: { path: unread } } };
  }
  return null;
}

/** Where an instruction comes from: a rule by its number, or a skill. */
interface Source {
  name: (p: GuidedReplies) => string;
  instructions: Instruction[];
}

function sourcesOf({ rules, texts }: Guidance, wanted: string[], calls: PastCall[]): Source[] {
  const skills = wanted.map((skill) => {
    const results = calls.filter(
      ({ name, arguments: given }) =>
        (name === "activate_skill" && given.name === skill) ||
        (name === "read_file" && String(given.path).startsWith(`skills/${skill}/`)),
    );
    const text = [texts.get(skill) ?? "", ...results.map((call) => call.text)].join("\n");
    return { name: (p: GuidedReplies) => p.skill(skill), instructions: instructionsIn(text) };
  });
  // Rules come last, since they count more.
  return [
    ...skills,
    ...rules.map((rule, at) => ({ name: (p: GuidedReplies) => p.rule(at + 1), instructions: instructionsIn(rule) })),
  ];
}

/** Returns a call whose text keeps to the instructions. */
function guided(call: NonNullable<Step["call"]>, sources: readonly Source[]): NonNullable<Step["call"]> {
  const field = WRITES[call.name];
  const content = field && call.arguments[field];
  if (!field || typeof content !== "string") return call;
  const all = sources.flatMap(({ instructions }) => instructions);
  return {
    ...call,
    arguments: { ...call.arguments, [field]: all.reduce((text, each) => follow(each, text), content) },
  };
}

/** Says which instructions were followed, and which rules the script does not understand. */
function report(sources: readonly Source[], calls: readonly PastCall[], p: GuidedReplies): string {
  const written = calls.flatMap(({ name, arguments: given, error }) => {
    const content = error === undefined && WRITES[name] ? given[WRITES[name]] : undefined;
    return typeof content === "string" ? [content] : [];
  });
  if (!written.length) return "";
  const isUsed = (each: Instruction) => written.some((content) => isFollowed(each, content));
  const followed = sources.filter(({ instructions }) => instructions.some(isUsed));
  const unclear = sources.filter(({ instructions }) => !instructions.length);
  return [
    followed.length && p.followed(followed.map(({ name }) => name(p))),
    unclear.length && p.notUnderstood(unclear.map(({ name }) => name(p))),
  ]
    .filter(Boolean)
    .join(" ");
}

/** The sentences of a request that name a tool of a server become calls; `rest` is what remains. */
function useServers(prompt: string, tools: readonly WireTool[], calls: readonly PastCall[], p: GuidedReplies) {
  const sentences = prompt.match(/[^.!?。！？\n]+(?:[.!?](?!\s|$)[^.!?。！？\n]*)*[.!?。！？]?/g) ?? [];
  const results: string[] = [];
  let rest = prompt;
  for (const sentence of sentences) {
    const tool = toolIn(sentence, tools);
    if (!tool) {
      // Its server may have been removed, or turned off, since the call.
      const past = calls.find(({ name }) => name.includes("__") && isNamed(name, sentence));
      if (!past) continue;
      rest = rest.replace(sentence, "");
      results.push(resultOf(past, p));
      continue;
    }
    rest = rest.replace(sentence, "");
    const { name, parameters } = tool.function;
    const [server = "", bare = ""] = name.split("__");
    const found = argumentsIn(sentence.replace(new RegExp(pattern(bare), "i"), ""), asObject(parameters));
    if ("missing" in found) {
      results.push(p.missing(bare, found.missing));
      continue;
    }
    const { given } = found;
    const call = calls.find((each) => each.name === name && JSON.stringify(each.arguments) === JSON.stringify(given));
    if (!call) return { step: { text: p.askServer(server), call: { name, arguments: given } }, results, rest: "" };
    results.push(resultOf(call, p));
  }
  return { step: null, results, rest: rest.trim() };
}

const pattern = (name: string) => name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/[-_]+/g, "[-_ ]");

/** Returns true if a sentence has the name of a server's tool. */
function isNamed(name: string, sentence: string): boolean {
  const bare = pattern(name.slice(name.indexOf("__") + 2));
  return new RegExp(`(?<![\\w-])${bare}(?![\\w-])`, "i").test(sentence);
}

/** Returns what came of a call, in a sentence. */
function resultOf(call: PastCall, p: GuidedReplies): string {
  const [server = ""] = call.name.split("__");
  if (call.error === "rejected") return p.denied(server);
  return call.error === undefined ? p.said(server, saidBy(call)) : p.serverFailed(server);
}

/** Returns the tool with the longest name that a sentence has. */
function toolIn(sentence: string, tools: readonly WireTool[]): WireTool | undefined {
  const named = tools.filter(({ function: { name } }) => isNamed(name, sentence));
  return named.sort((a, b) => b.function.name.length - a.function.name.length)[0];
}

/** Returns the arguments in a sentence: quoted texts and numbers, in their order. */
function argumentsIn(
  sentence: string,
  schema: Record<string, unknown>,
): { given: Record<string, unknown> } | { missing: string[] } {
  const properties = asObject(schema.properties);
  const required = Array.isArray(schema.required) ? schema.required.map(String) : [];
  const texts = [...sentence.matchAll(/[“"「『]([^“”"「」『』]+)[”"」』]/g)].map(([, text]) => text!);
  const numbers = [...sentence.matchAll(/-?\d+(?:\.\d+)?/g)].map(([text]) => Number(text));
  const given: Record<string, unknown> = {};
  for (const name of [...required, ...Object.keys(properties).filter((name) => !required.includes(name))]) {
    const { type } = asObject(properties[name]);
    const value =
      type === "string" ? texts.shift() : type === "number" || type === "integer" ? numbers.shift() : undefined;
    if (value !== undefined) given[name] = value;
  }
  const missing = required.filter((name) => given[name] === undefined);
  return missing.length ? { missing } : { given };
}

/** Returns the result of a call as text. */
function saidBy({ result, text }: PastCall): string {
  return (typeof result === "string" ? result : text.replace(/^<data source="[^"]*">\n|\n<\/data>$/g, "")).trim();
}
