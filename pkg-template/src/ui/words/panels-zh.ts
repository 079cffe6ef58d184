/** 各面板的中文文案，键与 `panels-en.ts` 相同。 */
import { chineseNumber as grouped } from "./numbers.js";
import type { PanelWords } from "./panels-en.js";

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

export const panels: PanelWords = {
  lang: "zh-CN",
  cancel: "取消",
  save: "保存",
  outline,
  settings,
};
