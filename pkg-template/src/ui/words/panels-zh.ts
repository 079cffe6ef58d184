/** 各面板的中文文案，键与 `panels-en.ts` 相同。 */
import { chineseNumber as grouped } from "./numbers.js";
import type { PanelWords } from "./panels-en.js";

/** 文件未处理的原因，按错误代码。 */
const reasons: Partial<Record<string, string>> = {
  file_exists: "已存在",
  instruction_skipped: "是给助手的指令",
  not_text: "不是文本",
  not_encodable: "含有其编码没有的字符",
  zip_is_document: "是文档，不是文本文件夹",
  file_changed: "正被其他程序修改",
  file_too_large: "太大",
  zip_too_large: "太大",
  zip_damaged: "无法解压",
  invalid_path: "名称无效",
  storage_full: "存储空间已满",
  permission_denied: "没有权限",
};

const comments: PanelWords["comments"] = {
  label: "评论",
  new: "评论所选文字",
  select: "选中文字即可评论",
  add: "评论",
  reply: "回复",
  resolve: "标为已解决",
  reopen: "重新打开",
  resolved: (count) => `${grouped(count)} 条已解决`,
  noComments: "暂无评论",
  textDeleted: "所评论的文字已被删除。",
  resolving: "接受修改后即标为已解决。",
  pending: "等待处理修改",
  withdrawn: "已随修改撤回",
  nobody: "某人",
};

const authorship: PanelWords["authorship"] = {
  label: "作者",
  agent: "助手",
  people: "人",
  share: (characters, percent) => `${grouped(characters)} 字，占 ${percent}%`,
  noAgents: "尚未接受助手写的文字",
  show: "在正文中标出",
  sources: (count) => `${grouped(count)} 个来源`,
};

const activities = { thinking: "正在思考", reading: "正在阅读", writing: "正在撰写" };
const room: PanelWords["room"] = {
  label: "共享空间",
  name: "你的名字",
  others: "同在这里的人",
  alone: "暂时没有其他人",
  activity: (name, activity) => `${name}${activities[activity]}`,
  local: "仅限此浏览器",
  connected: "已连接",
  offline: "未连接",
  mode: "写作方式",
  modes: { edit: "编辑", suggest: "建议" },
};

const outline: PanelWords["outline"] = {
  label: "大纲",
  introduction: "开头",
  noSections: "暂无章节",
  words: (count) => `${grouped(count)} 字`,
  proposed: "建议",
  deleted: "将删除",
};

const settings: PanelWords["settings"] = {
  model: "模型",
  provider: "服务商",
  custom: "自定义",
  modelId: "模型",
  baseUrl: "接口地址",
  apiKey: "API 密钥",
  keyOptional: "API 密钥（可选）",
  getKey: (provider) => `在 ${provider} 获取密钥`,
  showKey: "显示密钥",
  keyHint: "此服务商需要 API 密钥。在本机运行的模型（Ollama）无需密钥。",
  linkHint: "此接口来自打开本页的链接，已保存的密钥不会发送给它。",
  ollamaHint: (origin) => `Ollama 无需密钥，但须允许本页访问：启动时请设置 OLLAMA_ORIGINS=${origin}`,
  format: "接口格式",
  more: "更多",
  temperature: "温度",
  modelDefault: "模型默认值",
  thinkingLevel: "思考强度",
  thinkingLevels: {
    "": "模型默认值",
    off: "关闭",
    minimal: "极低",
    low: "低",
    medium: "中",
    high: "高",
    xhigh: "极高",
  },
  priceIn: "输入价格（美元/百万 token）",
  priceOut: "输出价格（美元/百万 token）",
  priceHint: "用于计算费用",
  estimatedPrice: (date) => `按 ${date} 的标价估算`,
  connection: {
    test: "测试连接",
    testing: "正在测试…",
    works: (models) => `连接正常，共有 ${grouped(models)} 个模型，可在模型一栏中选择。`,
    notListed: (model, models) => `连接正常，但 ${grouped(models)} 个模型中没有“${model}”，可在模型一栏中选择。`,
    key: () => "服务器不接受此 API 密钥。",
    url: () => "服务器有应答，但此接口地址下没有模型列表，请检查地址。",
    unusable: (status) => `服务器返回错误（${status}），请稍后再试。`,
    offline: () => "当前离线，请联网后重试。",
    blocked: () => "服务器可以连通，但浏览器无权读取它的回答（CORS）：服务器需要允许本页的请求。",
    unreachable: () => "无法连接服务器。请检查地址，并确认服务已启动。",
  },
  web: "网页搜索",
  images: "图片搜索",
  keyless: (name) => `${name}（免密钥）`,
  rememberKeys: "在此设备上记住 API 密钥",
  rememberKeysHint: "不勾选时，密钥只保存在内存中，关闭页面即清除。",
  problems: {
    required: "此项必填。",
    url: "请填写 http(s) 地址，例如 https://api.openai.com/v1",
    price: "请填写不小于 0 的数字。",
    temperature: "请填写 0 到 2 之间的数字。",
  },
};

const skills: PanelWords["skills"] = {
  label: "技能",
  hint: "针对某类任务的说明。遇到这类任务时，助手会照着做。",
  add: "添加技能",
  source: "网址，或文件中的文件夹",
  sourceHint: "例如 https://github.com/ann/tips 或 notes/skills",
  states: { loading: "正在加载…", ready: "可用", failed: "未加载", disabled: "已停用" },
  found: (count) => `${grouped(count)} 个技能`,
  limitedTrust: "由他人编写：仅在有助于完成你的要求时有效。",
  files: "附带文件",
  refresh: "检查新版本",
};

const servers: PanelWords["servers"] = {
  label: "服务器",
  hint: "MCP 服务器提供的工具，助手可与自带工具一起使用。",
  add: "添加服务器",
  states: { connecting: "正在连接…", ready: "可用", failed: "未连接", disabled: "已停用" },
  name: "名称（可选）",
  url: "网址",
  urlHint: "例如 https://tools.example.org/mcp",
  key: "密钥（可选）",
  header: "密钥所在的请求头",
  keyIsSet: "留空则保留原来的密钥。",
  keysKept: "密钥按设置保存在此浏览器中。",
  keysForgotten: "关闭页面后密钥即被清除，可在设置中更改。",
  removeKey: "移除密钥",
  protocol: (version) => `协议 ${version}`,
  tools: (count) => `${grouped(count)} 个工具`,
  asksFirst: "先询问",
  notUsed: "未使用",
  approval: "先询问我",
  approvals: { annotations: "可能造成改动的调用", always: "每次调用", never: "从不询问" },
  reconnect: "重新连接",
  edit: "修改",
  taken: (name) => `已有名为 ${name} 的项目。`,
  invalidUrl: "请输入以 https:// 或 http:// 开头的网址。",
  urlWithPassword: "网址中请不要包含用户名和密码，密钥有单独的输入框。",
  invalidName: "名称只能包含字母、数字、连字符和下划线。",
  invalidHeader: "请求头只能包含字母、数字和连字符。",
  invalidKey: "密钥只能包含英文字母、数字和半角符号。",
};

const rules: PanelWords["rules"] = {
  label: "规则",
  hint: "助手无论做什么都会逐条遵守，正在进行的任务也不例外。",
  add: "添加规则",
  rule: (number) => `规则 ${number}`,
  unused: (row) => `第 ${row} 行（未使用）`,
  placeholder: "例如：使用简体中文书写。",
  moveUp: "上移",
  moveDown: "下移",
  fromFiles: "文件中的规则",
  fromFilesHint: "这些规则同样有效。要修改请打开文件。",
  fromFolderHint: "这些规则来自你打开的文件夹。请只采用你信任的作者的规则。",
};

const workspace: PanelWords["workspace"] = {
  line: (line) => `第 ${line} 行`,
  reading: "正在读取文件",
  read: (read, files) => `已读取 ${grouped(read)} / ${grouped(files)} 个文件`,
  stale: "此后文件有改动。",
  leftOut: (path, code) => `${path}：${reasons[code] ?? `失败（${code}）`}。`,
};

const checks: PanelWords["checks"] = {
  label: "检查",
  run: "检查故事",
  running: "正在检查…",
  hint: "查找天数的跳跃与倒退、不可能的日期，以及没有对应的伏笔与引用。",
  timeline: "天数与日期",
  references: "伏笔与引用",
  noFindings: "没有发现问题。",
  error: "错误",
  warning: "提示",
  waived: "已在文件中接受",
  summary: (errors, warnings, waived) =>
    [`${grouped(errors)} 个错误`, `${grouped(warnings)} 个提示`, waived && `${grouped(waived)} 个已接受`]
      .filter(Boolean)
      .join("，"),
  skipped: (count) => `${grouped(count)} 个文件未被检查`,
};

const search: PanelWords["search"] = {
  label: "搜索",
  run: "搜索",
  running: "正在搜索…",
  pattern: "在文件中搜索",
  caseSensitive: "区分大小写",
  regex: "正则表达式",
  glob: "只搜索这些文件",
  globHint: "chapters/*.md",
  matches: (count, files, isCut) =>
    count === 0
      ? "没有找到。"
      : isCut
        ? `超过 ${grouped(count)} 处，只显示最前面的。`
        : `${grouped(files)} 个文件中共 ${grouped(count)} 处`,
  skipped: (count) => `${grouped(count)} 个文件未被搜索`,
};

const files: PanelWords["fileList"] = {
  label: "文件",
  create: "新建文件",
  import: "导入",
  export: "导出",
  importZip: "导入 zip 文件",
  importFolder: "导入文件夹",
  exportZip: "导出为 zip 文件",
  exportFolder: "导出到文件夹",
  none: "还没有文件。",
  more: (count) => `还有 ${grouped(count)} 个文件，可用搜索查找。`,
  root: "文件",
  actions: (path) => `${path} 的操作`,
  rename: "重命名",
  versions: "历史版本",
  remove: "删除",
  removed: (path) => `已删除 ${path}。`,
  takeBack: "撤回",
  ok: "确定",
  path: "路径",
  pathHint: "例如 chapters/ch001.md",
  imported: (written, skipped) =>
    `已导入 ${grouped(written)} 个文件${skipped ? `，${grouped(skipped)} 个未导入` : ""}。`,
  exported: (written, skipped) =>
    `已导出 ${grouped(written)} 个文件${skipped ? `，${grouped(skipped)} 个未导出` : ""}。`,
  notInZip: "以下文件不在 zip 文件中：",
  replace: "替换已有文件",
  addInstructions: (paths) => `导入这些给助手的指令：${paths.join("、")}`,
  noFolders: "此浏览器无法在这里打开文件夹，请使用 zip 文件。",
};

const versions: PanelWords["versions"] = {
  back: "返回文件列表",
  of: (path) => `${path} 的历史版本`,
  none: "此文件还没有历史版本。",
  authors: { agent: "助手", user: "你", outside: "其他程序" },
  earlier: (count) => `这几分钟内更早的 ${grouped(count)} 次保存`,
  deleted: "删除",
  current: "当前",
  restore: "恢复此版本",
  restored: "已恢复此版本。",
  same: "与当前内容相同。",
  compared: "从此版本到当前文件的变化",
};

const diff: PanelWords["diff"] = {
  label: "变化",
  unchanged: (count) => `${grouped(count)} 行未变`,
};

const find: PanelWords["find"] = {
  label: "查找和替换",
  find: "查找",
  replacement: "替换为",
  replace: "替换",
  replaceAll: "全部替换",
  showReplace: "显示替换",
  caseSensitive: "区分大小写",
  wholeWord: "全字匹配",
  next: "下一处",
  previous: "上一处",
  close: "关闭",
  nothing: "没有找到",
  count: (current, total, proposed) =>
    `第 ${grouped(current)} 处，共 ${grouped(total)} 处${proposed ? `，其中 ${grouped(proposed)} 处在修改建议中` : ""}`,
  isPending: "这一处在修改建议中。请先接受或拒绝该建议。",
  replaced: (count, left) =>
    `已替换 ${grouped(count)} 处。${left ? `修改建议中的 ${grouped(left)} 处未替换，请先接受或拒绝建议。` : ""}`,
};

export const panels: PanelWords = {
  lang: "zh-CN",
  add: "添加",
  remove: "移除",
  more: "更多",
  enable: (name) => `使用${name}`,
  actionsFor: (name) => `${name} 的操作`,
  cancel: "取消",
  save: "保存",
  outline,
  comments,
  authorship,
  room,
  settings,
  skills,
  servers,
  rules,
  workspace,
  checks,
  search,
  fileList: files,
  versions,
  diff,
  find,
};
