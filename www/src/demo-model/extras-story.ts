/** The script with skills, rules and tools of servers: it uses those that a request names, as they are in the request. */
import { textOf, type PastCall, type Step, type WireRequest } from "./wire";

interface Words {
  skill: (name: string, first: string) => string;
  tool: (name: string, said: string) => string;
  failed: (name: string) => string;
  rules: (rules: string[]) => string;
}

const english: Words = {
  skill: (name, first) => `I followed the skill ${name}: ${first}`,
  tool: (name, said) => `${name} answered: ${said}`,
  failed: (name) => `${name} did not work, so I went on without it.`,
  rules: (rules) => `I kept to your ${rules.length === 1 ? "rule" : "rules"}: ${rules.join(" ")}`,
};

const chinese: Words = {
  skill: (name, first) => `我按照技能 ${name} 处理：${first}`,
  tool: (name, said) => `${name} 返回：${said}`,
  failed: (name) => `${name} 没有成功，我没有用它，继续完成了其余部分。`,
  rules: (rules) => `我遵守了你的规则：${rules.join(" ")}`,
};

/** Returns the next step of a request that names a skill or a tool of a server; undefined for any other. */
export function extrasStep(request: WireRequest, prompt: string, calls: PastCall[]): Step | undefined {
  const system = request.messages
    .filter(({ role }) => role === "system" || role === "developer")
    .map(textOf)
    .join("\n");
  const isNamed = (name: string) => mentions(prompt, name);
  const skill = [...system.matchAll(/^- ([a-z0-9-]+): /gm)].map(([, name]) => name!).find(isNamed);
  const tools = (request.tools ?? []).filter(({ function: { name } }) => name.includes("__"));
  const wanted = tools.filter(({ function: { name } }) => isNamed(name.slice(name.indexOf("__") + 2)));
  if (!skill && !wanted.length) return undefined;

  const inPrompt = skill && textOfSkill(system, skill);
  const activated = calls.find(({ name, arguments: given }) => name === "activate_skill" && given.name === skill);
  if (skill && !inPrompt && !activated) return { call: { name: "activate_skill", arguments: { name: skill } } };
  const next = wanted.find(({ function: tool }) => !calls.some(({ name }) => name === tool.name));
  if (next) return { call: { name: next.function.name, arguments: argumentsOf(next.function.parameters, prompt) } };

  const words = /[\u4e00-\u9fff]/.test(prompt) ? chinese : english;
  const said: string[] = [];
  const read = inPrompt || (activated && textOfSkill(activated.text, skill!));
  if (skill && read) said.push(words.skill(skill, firstLine(read)));
  for (const { name, text, result, error } of calls.filter((call) => call.name.includes("__"))) {
    const readable = name.slice(name.indexOf("__") + 2);
    said.push(
      error && typeof result !== "string"
        ? words.failed(readable)
        : words.tool(readable, firstLine(typeof result === "string" ? result : text)),
    );
  }
  const rules = rulesIn(system);
  if (rules.length) said.push(words.rules(rules));
  return { text: said.join("\n\n") };
}

function mentions(prompt: string, name: string): boolean {
  const plain = (text: string) => ` ${text.toLowerCase().replace(/[-_\s]+/g, " ")} `;
  return plain(prompt).includes(plain(name).trim());
}

/** Returns the text of a skill between its marks. */
function textOfSkill(text: string, name: string): string | undefined {
  return new RegExp(`<skill name="${name}"[^>]*>\\n([^]*?)\\n</skill>`).exec(text)?.[1];
}

/** Returns the first line that is no heading. */
function firstLine(text: string): string {
  const lines = text.split("\n").map((line) => line.trim());
  return (lines.find((line) => line && !line.startsWith("#")) ?? "").slice(0, 200);
}

/** Returns the rules at the end of the system prompt. */
function rulesIn(system: string): string[] {
  const at = Math.max(system.lastIndexOf("\nRules. "), system.lastIndexOf("\n规则。"));
  return at < 0 ? [] : [...system.slice(at).matchAll(/^\d+\. (.*)$/gm)].map(([, rule]) => rule!);
}

/** Returns arguments that fit a schema: texts are what the prompt quotes, numbers those that it has. */
function argumentsOf(schema: object | undefined, prompt: string): Record<string, unknown> {
  const { properties = {}, required = [] } = (schema ?? {}) as {
    properties?: Record<string, { type?: string }>;
    required?: string[];
  };
  const quoted = [...prompt.matchAll(/[“"「]([^”"」]+)[”"」]/g)].map(([, text]) => text!);
  const numbers = [...prompt.matchAll(/\d+(?:\.\d+)?/g)].map(([text]) => Number(text));
  const given = required.map((name) => {
    const { type } = properties[name] ?? {};
    if (type === "number" || type === "integer") return [name, numbers.shift() ?? 1] as const;
    if (type === "boolean") return [name, false] as const;
    return [name, quoted.shift() ?? prompt] as const;
  });
  return Object.fromEntries(given);
}
