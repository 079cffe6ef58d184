/** The failures and remarks of skills. Each names the source, the cause and the way out, in Chinese. */

import type { skills as english } from "../en/skills.js";

export const skills: typeof english = {
  problems: {
    skill_unreachable: ({ origin, reason }) =>
      `无法加载 ${origin} 的技能：${reason}。请检查网址和网络，然后刷新该来源。`,
    skill_timeout: ({ origin, ms }) => `${origin} 的技能未能在 ${ms} 毫秒内加载完。请刷新该来源重试。`,
    skill_late: ({ origin, ms }) => `${ms} 毫秒后 ${origin} 的技能仍在加载。智能体先继续工作。`,
    skill_cors: ({ origin, host }) =>
      `无法加载 ${origin} 的技能：${host} 有响应，但不允许网页读取（CORS：缺少 Access-Control-Allow-Origin）。` +
      "请换用允许的主机；git 仓库可设置 `corsProxy`。",
    skill_denied: ({ origin, status }) =>
      `无法加载 ${origin} 的技能：访问被拒绝（${status}）。请使用公开的来源，或在 \`fetch\` 选项中加入授权信息。`,
    skill_rate_limited: ({ origin, host }) => `无法加载 ${origin} 的技能：${host} 暂时不再接受请求。请稍后刷新该来源。`,
    skill_not_found: ({ origin }) => `来源 ${origin} 不存在或未公开。请检查其网址。`,
    skill_ref_not_found: ({ origin, ref }) =>
      `${origin} 没有分支、标签或提交 ${ref}，或未公开。请检查 \`ref\` 和网址。`,
    skill_missing: ({ origin, path }) =>
      `${origin} 的${path ? ` ${path} ` : "根目录"}中没有技能：既没有 SKILL.md，也没有 README.md。请检查 \`path\`。`,
    skill_invalid: ({ origin, path, reason }) => `已跳过 ${origin} 的技能 ${path}：${reason}。请在来源处更正该文件。`,
    skill_too_large: ({ origin, what, limit, unit }) =>
      `已跳过 ${origin} 的 ${what}：超过 ${limit} ${unit}。请用 \`path\` 选择较小的部分，或提高上限。`,
    skill_html: ({ origin, path }) => `${origin} 返回的是网页而不是 ${path}，可能需要登录。请使用文件本身的网址。`,
    skill_not_git: ({ origin, reason }) =>
      `${origin} 的回答不是 git 服务器的：${reason}。请检查网址，并确认仓库可通过 HTTP 克隆。`,
    skill_redirected: ({ origin, to }) => `${origin} 重定向到另一个服务器 ${to}。如果信任它，请直接使用它的网址。`,
    skill_library_missing: ({ origin, name, reason }) =>
      `无法加载 ${origin} 的技能：缺少 ${name} 包（${reason}）。请安装：npm install ${name}。`,
    skill_no_workspace: ({ origin }) => `无法加载 ${origin} 的技能：智能体没有工作区。请为它提供工作区，或使用网址。`,
    skill_duplicate: ({ origin, name, first }) =>
      `已跳过 ${origin} 的技能 ${name}：${first} 已有同名技能。请重命名或停用其中一个。`,
    skill_adapted: ({ origin, path, reason }) => `${origin} 的技能 ${path} 不符合格式：${reason}。`,
    skill_files_skipped: ({ origin, name, count, reason }) =>
      `${origin} 的技能 ${name} 有 ${count} 个文件无法读取：${reason}。`,
    skill_not_stored: ({ origin, reason }) => `${origin} 的技能可用，但未能存储：${reason}。下次启动后会重新获取。`,
  },
  reasons: {
    noEnd: "其元数据没有结束：缺少一行 ---",
    noMatter: "没有元数据",
    noLetters: (name) => `其名称 ${name} 不含字母或数字（a-z、0-9）`,
    renamed: (given, name) => `名称 ${given} 已改为 ${name}`,
    named: (name) => `没有名称，已命名为 ${name}`,
    otherFolder: (name, folder) => `名称 ${name} 与文件夹 ${folder} 不同`,
    noDescription: "没有描述，也没有可用作描述的段落",
    firstParagraph: "没有描述，已使用其第一段",
    cut: (limit) => `描述已截断为 ${limit} 个字符`,
    noInstructions: "元数据之后没有说明",
    inLfs: "它存放在 Git LFS 中，无法读取",
    longMatter: (limit) => `元数据超过 ${limit} 个字符`,
    readOneByOne: (names) => `其元数据不是有效的 YAML，已逐个读取字段${names && `；按纯文本读取：${names}`}`,
    unreadableMatter: (reason) => `其元数据无法读取（${reason}）`,
    symbolicLink: (path) => `${path} 是符号链接`,
    notUtf8: "它不是 UTF-8 文本",
    notJSON: (host) => `${host} 没有返回 JSON`,
    redirects: "重定向次数过多",
    noAnswer: (host) => `${host} 没有响应`,
    answered: (host, answer) => `${host} 返回 ${answer}`,
    noCommit: "服务器没有给出提交",
  },
  skipped: {
    link: "它们是符号链接，不会跟随",
    submodule: "它们是子模块，不会加载",
    path: "它们的路径无效",
    number: "技能的文件数超过上限（`maxFiles`）",
    size: "它们超过字节数上限（`maxBytes`）",
    lfs: "它们存放在 Git LFS 中，无法读取",
  },
  things: { skills: "技能列表", files: "文件列表", content: "内容" },
  units: { bytes: "字节", skills: "个技能", entries: "个条目" },
};
