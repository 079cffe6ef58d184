/** The errors of an agent in a worker, in Chinese. */

import type { worker as english } from "../en/worker.js";

export const worker: typeof english = {
  busy: "智能体仍在工作，请等它完成，或先停止。",
  notLoaded: (reason) =>
    `智能体的 Worker 未能加载：${reason}。其脚本须是调用 serveAgents(self) 的模块：new Worker(url, { type: "module" })。请检查 URL，然后新建 Worker 和智能体。`,
  stopped: (reason) =>
    `智能体的 Worker 已停止：${reason}。已完成的修改仍然保留。请新建 Worker 和智能体，并把 agent.messages 交给新的智能体。`,
};
