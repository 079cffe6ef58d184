/** The reasons why an addition of the user's cannot be used, in Chinese. */

import type { additions as english } from "../en/additions.js";

export const additions: typeof english = {
  notLoaded: "页面的这一部分未能加载。请检查网络后重试。",
  skills: "请输入代码仓库或文件夹的网址（不含密码），或文件中的文件夹。",
  servers: "请输入服务器的网址，名称只能包含字母、数字、连字符和下划线。",
};
