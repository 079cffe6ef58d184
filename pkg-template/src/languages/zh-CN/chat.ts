/** The errors of a page that uses a chat route, in Chinese. */

import type { chat as english } from "../en/chat.js";

export const chat: typeof english = {
  stream_cut: "数据流在任务结束前中断。请检查网络连接，然后重新发送消息。",
  document_changed:
    "任务编辑文档期间，文档被他人修改，后续更新已无法应用。请在任务运行时将编辑器设为只读，或在页面中运行智能体。",
  bad_answer: "服务器的响应不符合聊天路由的格式。请检查 URL。",
};
