/** 共享文档的中文文案，键与 `share-en.ts` 相同。 */
import { words } from "copydesk/ui/words";
import type { ShareMessages } from "./share-en";

export const share: ShareMessages = {
  share: "共享",
  title: "共享这篇文档",
  hint: "文档的副本会在共享空间中打开，并保存在此浏览器里。拿到链接的人都可以修改。",
  server: "Hocuspocus 服务器（可选）",
  withoutChanges: "建议的修改无法共享：副本中只有文档本身。",
  open: "打开副本",
  serverHint: "不填服务器时，此浏览器的其他窗口可以加入。",
  guest: "访客",
  copy: "复制链接",
  copied: "已复制",
  leave: "离开",
  comments: words["zh-CN"].comments.label,
  authorship: words["zh-CN"].authorship.label,
  problems: {
    off: "此浏览器无法保存这个共享空间。没有其他人打开它时，修改会丢失。",
    full: "浏览器的存储空间已满，共享空间的最新修改没有保存在这里。",
  },
};
