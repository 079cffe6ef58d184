/** What the demo model says about skills, rules and servers, in both languages. */
import type { Language } from "./intent";

const listed = (names: string[]) => names.join(", ").replace(/, ([^,]*)$/, " and $1");

const english = {
  loadSkill: (name: string) => `The skill ${name} fits this, so I’ll load it first.`,
  readFile: (name: string) => `The skill ${name} names a file, so I’ll read it.`,
  askServer: (server: string) => `I’ll ask the server ${server}.`,
  said: (server: string, text: string) => `The server ${server} says: ${text}`,
  serverFailed: (server: string) => `The server ${server} could not do this.`,
  denied: (server: string) => `You did not allow the call, so I asked the server ${server} nothing.`,
  missing: (tool: string, names: string[]) =>
    `For ${tool.replace(/[-_]/g, " ")} I need ${listed(names)}: write texts in quotation marks, and numbers in digits.`,
  rule: (number: number) => `rule ${number}`,
  skill: (name: string) => `the skill ${name}`,
  followed: (names: string[]) => `I followed ${listed(names)}.`,
  notUnderstood: (names: string[]) => `I am a script, and do not understand ${listed(names)}; a real model does.`,
};

export type GuidedReplies = typeof english;

const chinese: GuidedReplies = {
  loadSkill: (name) => `技能 ${name} 适用于此，我先加载它。`,
  readFile: (name) => `技能 ${name} 提到了一个文件，我先读取它。`,
  askServer: (server) => `我来询问服务器 ${server}。`,
  said: (server, text) => `服务器 ${server} 回答：${text}`,
  serverFailed: (server) => `服务器 ${server} 未能完成。`,
  denied: (server) => `你没有允许这次调用，我没有询问服务器 ${server}。`,
  missing: (tool, names) =>
    `使用 ${tool.replace(/[-_]/g, " ")} 需要 ${names.join("、")}：文字请加引号，数字请用阿拉伯数字。`,
  rule: (number) => `规则 ${number}`,
  skill: (name) => `技能 ${name}`,
  followed: (names) => `我遵守了${names.join("、")}。`,
  notUnderstood: (names) => `我只是一个脚本，不理解${names.join("、")}；真正的模型可以。`,
};

export const guidedReplies: Record<Language, GuidedReplies> = { en: english, zh: chinese };
