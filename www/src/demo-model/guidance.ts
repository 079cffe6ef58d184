/** What a system prompt says about skills and rules, and the instructions in them that the script can follow. */

export interface ListedSkill {
  name: string;
  description: string;
}

export interface Guidance {
  /** The rules in their order. */
  rules: string[];
  /** All skills. */
  skills: ListedSkill[];
  /** The texts of skills that the prompt has, by their names. */
  texts: Map<string, string>;
}

const SKILL = /<skill name="([^"]+)"[^>]*>\n([^]*?)\n<\/skill>/g;
/** The heads of the lists, in both languages. */
const RULES = /^(?:Rules\. |规则。)/;
const SKILLS = /^(?:Skills are instructions |技能是)/;

/** Reads the part of a prompt after the tools. */
export function guidanceOf(system: string): Guidance {
  const texts = skillTextsIn(system);
  const parts = system.replace(SKILL, "").split("\n\n");
  const after = (head: RegExp) => parts[parts.findLastIndex((part) => head.test(part)) + 1] ?? "";
  const hasRules = parts.some((part) => RULES.test(part));
  const hasSkills = parts.some((part) => SKILLS.test(part));
  const rules = hasRules ? [...after(RULES).matchAll(/^\d+\. ([^]*?)(?=\n\d+\. |$(?![^]))/gm)] : [];
  const skills = hasSkills ? [...after(SKILLS).matchAll(/^- ([a-z\d-]+): (.*)$/gm)] : [];
  return {
    rules: rules.map(([, text]) => text!.trim()),
    skills: skills.map(([, name, description]) => ({ name: name!, description: description! })),
    texts,
  };
}

/** Returns the texts of skills in a prompt or in a result. */
export function skillTextsIn(text: string): Map<string, string> {
  return new Map([...text.matchAll(SKILL)].map(([, name, content]) => [name!, content!]));
}

/** The paths of the files that a skill lists, and that its text names. */
export function filesNamedIn(skillText: string, name: string): string[] {
  const listed = [...skillText.matchAll(/^- (skills\/.+)$/gm)].map(([, path]) => path!);
  const words = skillText.replace(/^- skills\/.+$/gm, "");
  return listed.filter((path) => /\.(?:md|txt)$/i.test(path) && words.includes(path.slice(`skills/${name}/`.length)));
}

/** A change of texts that a rule or a skill asks for. */
export type Instruction = { kind: "replace"; old: string; new: string } | { kind: "begin" | "end"; text: string };

const QUOTED = '[“"「『]([^“”"「」『』]+)[”"」』]';
const FORMS: readonly [RegExp, (found: string[]) => Instruction][] = [
  [
    new RegExp(`${QUOTED},?\\s+(?:instead of|rather than|never|not)\\s+${QUOTED}`, "gi"),
    ([neu, old]) => replaces(old!, neu!),
  ],
  [
    new RegExp(`[用写]${QUOTED}\\S{0,2}?(?:代替|而不用|不用|不要用|不写)${QUOTED}`, "g"),
    ([neu, old]) => replaces(old!, neu!),
  ],
  [new RegExp(`把${QUOTED}(?:写成|换成|改为|改成)${QUOTED}`, "g"), ([old, neu]) => replaces(old!, neu!)],
  [new RegExp(`\\bend\\b[^.“"]*\\bwith\\s+${QUOTED}`, "gi"), ([text]) => ({ kind: "end", text: text! })],
  [new RegExp(`以${QUOTED}(?:结尾|收尾|结束)`, "g"), ([text]) => ({ kind: "end", text: text! })],
  [new RegExp(`\\b(?:begin|start)\\b[^.“"]*\\bwith\\s+${QUOTED}`, "gi"), ([text]) => ({ kind: "begin", text: text! })],
  [new RegExp(`以${QUOTED}(?:开头|开始)`, "g"), ([text]) => ({ kind: "begin", text: text! })],
];

function replaces(old: string, neu: string): Instruction {
  return { kind: "replace", old, new: neu };
}

/** Returns the instructions in a text that the script understands. */
export function instructionsIn(text: string): Instruction[] {
  return FORMS.flatMap(([form, make]) => [...text.matchAll(form)].map(([, ...found]) => make(found)));
}

/** Returns a text, in HTML or Markdown, as an instruction wants it. */
export function follow(instruction: Instruction, content: string): string {
  if (instruction.kind === "replace") return replaceWords(content, instruction.old, instruction.new);
  if (content.includes(instruction.text)) return content;
  const isHtml = /<\/\w+>/.test(content);
  const added = isHtml ? `<p>${instruction.text}</p>` : instruction.text;
  const joint = isHtml ? "" : "\n\n";
  return instruction.kind === "end" ? content.trimEnd() + joint + added : added + joint + content;
}

/** Returns true if a text shows that an instruction was followed. */
export function isFollowed(instruction: Instruction, content: string): boolean {
  return content
    .toLowerCase()
    .includes((instruction.kind === "replace" ? instruction.new : instruction.text).toLowerCase());
}

/** Replaces words outside of tags, also with a capital letter. */
function replaceWords(content: string, old: string, neu: string): string {
  const isWord = /^\w.*\w$/.test(old);
  const escaped = old.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const words = new RegExp(isWord ? `\\b${escaped}\\b` : escaped, "gi");
  const like = (found: string) =>
    found.charAt(0) === old.charAt(0) ? neu : neu.charAt(0).toUpperCase() + neu.slice(1);
  return content.replace(/<[^>]*>|[^<]+/g, (part) => (part.startsWith("<") ? part : part.replace(words, like)));
}
