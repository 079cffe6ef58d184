/** The failures and remarks of skills, with their messages. */

import type { Locale, SkillProblem } from "../types.js";

export type Details = Record<string, unknown>;
type Words = readonly [english: string, chinese: string];

/** The messages by code, in English and in Chinese. Each names the source, the cause and the way out. */
const MESSAGES = {
  skill_unreachable: [
    ({ origin, reason }) =>
      `The skills of ${origin} could not be loaded: ${reason}. Check the URL and the network, then refresh the source.`,
    ({ origin, reason }) => `无法加载 ${origin} 的技能：${reason}。请检查网址和网络，然后刷新该来源。`,
  ],
  skill_timeout: [
    ({ origin, ms }) => `The skills of ${origin} did not arrive within ${ms} ms. Refresh the source to try again.`,
    ({ origin, ms }) => `${origin} 的技能未能在 ${ms} 毫秒内加载完。请刷新该来源重试。`,
  ],
  skill_late: [
    ({ origin, ms }) => `The skills of ${origin} are still loading after ${ms} ms. The agent goes on without them.`,
    ({ origin, ms }) => `${ms} 毫秒后 ${origin} 的技能仍在加载。智能体先继续工作。`,
  ],
  skill_cors: [
    ({ origin, host }) =>
      `The skills of ${origin} could not be loaded: ${host} answers, but does not let pages read its answers ` +
      "(CORS: Access-Control-Allow-Origin is missing). Use a host that does, or for a git repository a `corsProxy`.",
    ({ origin, host }) =>
      `无法加载 ${origin} 的技能：${host} 有响应，但不允许网页读取（CORS：缺少 Access-Control-Allow-Origin）。` +
      "请换用允许的主机；git 仓库可设置 `corsProxy`。",
  ],
  skill_denied: [
    ({ origin, status }) =>
      `The skills of ${origin} could not be loaded: access was refused (${status}). Use a public source, or add the ` +
      "authorization in the option `fetch`.",
    ({ origin, status }) =>
      `无法加载 ${origin} 的技能：访问被拒绝（${status}）。请使用公开的来源，或在 \`fetch\` 选项中加入授权信息。`,
  ],
  skill_rate_limited: [
    ({ origin, host }) =>
      `The skills of ${origin} could not be loaded: ${host} allows no more requests at the moment. Refresh the source later.`,
    ({ origin, host }) => `无法加载 ${origin} 的技能：${host} 暂时不再接受请求。请稍后刷新该来源。`,
  ],
  skill_not_found: [
    ({ origin }) => `The source ${origin} was not found, or is not public. Check its URL.`,
    ({ origin }) => `来源 ${origin} 不存在或未公开。请检查其网址。`,
  ],
  skill_ref_not_found: [
    ({ origin, ref }) => `${origin} has no branch, tag or commit ${ref}, or is not public. Check \`ref\` and the URL.`,
    ({ origin, ref }) => `${origin} 没有分支、标签或提交 ${ref}，或未公开。请检查 \`ref\` 和网址。`,
  ],
  skill_missing: [
    ({ origin, path }) =>
      `${origin} has no skill in ${path || "its root"}: there is neither a SKILL.md nor a README.md. Check \`path\`.`,
    ({ origin, path }) =>
      `${origin} 的${path ? ` ${path} ` : "根目录"}中没有技能：既没有 SKILL.md，也没有 README.md。请检查 \`path\`。`,
  ],
  skill_invalid: [
    ({ origin, path, reason }) => `The skill ${path} of ${origin} was skipped: ${reason}. Correct the file there.`,
    ({ origin, path, reason }) => `已跳过 ${origin} 的技能 ${path}：${reason}。请在来源处更正该文件。`,
  ],
  skill_too_large: [
    ({ origin, what, limit, unit }) =>
      `${what} of ${origin} was skipped: it is larger than ${limit} ${unit}. Choose a smaller part by \`path\`, or raise ` +
      "the limit.",
    ({ origin, what, limit, unit }) =>
      `已跳过 ${origin} 的 ${what}：超过 ${limit} ${unit}。请用 \`path\` 选择较小的部分，或提高上限。`,
  ],
  skill_html: [
    ({ origin, path }) =>
      `${origin} answered with a web page instead of ${path}: it may need a login. Use the URL of the files themselves.`,
    ({ origin, path }) => `${origin} 返回的是网页而不是 ${path}，可能需要登录。请使用文件本身的网址。`,
  ],
  skill_not_git: [
    ({ origin, reason }) =>
      `${origin} did not answer as a git server: ${reason}. Check the URL, and that the repository can be cloned by HTTP.`,
    ({ origin, reason }) => `${origin} 的回答不是 git 服务器的：${reason}。请检查网址，并确认仓库可通过 HTTP 克隆。`,
  ],
  skill_redirected: [
    ({ origin, to }) => `${origin} redirects to ${to}, another server. If you trust that one, use its URL.`,
    ({ origin, to }) => `${origin} 重定向到另一个服务器 ${to}。如果信任它，请直接使用它的网址。`,
  ],
  skill_library_missing: [
    ({ origin, name, reason }) =>
      `The skills of ${origin} could not be loaded: the package ${name} is missing (${reason}). Install it: npm install ` +
      `${name}.`,
    ({ origin, name, reason }) =>
      `无法加载 ${origin} 的技能：缺少 ${name} 包（${reason}）。请安装：npm install ${name}。`,
  ],
  skill_no_workspace: [
    ({ origin }) =>
      `The skills of ${origin} could not be loaded: the agent has no workspace. Pass it one, or use a URL.`,
    ({ origin }) => `无法加载 ${origin} 的技能：智能体没有工作区。请为它提供工作区，或使用网址。`,
  ],
  skill_duplicate: [
    ({ origin, name, first }) =>
      `The skill ${name} of ${origin} was skipped: ${first} has one with this name. Rename or disable one of them.`,
    ({ origin, name, first }) => `已跳过 ${origin} 的技能 ${name}：${first} 已有同名技能。请重命名或停用其中一个。`,
  ],
  skill_adapted: [
    ({ origin, path, reason }) => `The skill ${path} of ${origin} breaks a rule of the format: ${reason}.`,
    ({ origin, path, reason }) => `${origin} 的技能 ${path} 不符合格式：${reason}。`,
  ],
  skill_files_skipped: [
    ({ origin, name, count, reason }) => `${count} files of the skill ${name} of ${origin} cannot be read: ${reason}.`,
    ({ origin, name, count, reason }) => `${origin} 的技能 ${name} 有 ${count} 个文件无法读取：${reason}。`,
  ],
  skill_not_stored: [
    ({ origin, reason }) =>
      `The skills of ${origin} work, but could not be stored: ${reason}. They are fetched again after the next start.`,
    ({ origin, reason }) => `${origin} 的技能可用，但未能存储：${reason}。下次启动后会重新获取。`,
  ],
} satisfies Record<string, [(details: Details) => string, (details: Details) => string]>;

export type ProblemCode = keyof typeof MESSAGES;

/** A failure or a remark; `problemIn` gives its message. Values in two languages are pairs. */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly details: Details;

  constructor(code: ProblemCode, details: Details, options?: ErrorOptions) {
    super(code, options);
    this.name = "Problem";
    this.code = code;
    this.details = details;
  }
}

/** Returns a problem in a language. */
export function problemIn({ code, details }: Problem, locale: Locale): SkillProblem {
  const at = locale === "zh-CN" ? 1 : 0;
  const shown = Object.entries(details).map(([name, value]) => [name, isPair(value) ? value[at] : value]);
  return { code, message: MESSAGES[code][at](Object.fromEntries(shown) as Details) };
}

/** Returns a failure of loading `origin` as a problem. */
export function problemOf(thrown: unknown, origin: string): Problem {
  if (thrown instanceof Problem) return thrown;
  const reason = thrown instanceof Error ? thrown.message : String(thrown);
  return new Problem("skill_unreachable", { origin, reason: withoutEnd(reason) }, { cause: thrown });
}

/** A short text of a server or library, without line breaks, for the inside of a sentence. */
export function withoutEnd(text: string): string {
  return text
    .toWellFormed()
    .replace(/\s+/g, " ")
    .slice(0, 200)
    .replace(/[.\s]+$/, "");
}

function isPair(value: unknown): value is Words {
  return Array.isArray(value) && value.length === 2;
}
