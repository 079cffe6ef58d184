/** Opens find and replace by keys and buttons, and loads them with the first use. */
import type { Editor } from "@tiptap/core";
import { modKey } from "../dom";
import { loadPart } from "../lazy";
import type { Notices } from "../notices";
import type { FindBar } from "./find-bar";

/** Ctrl+F and Ctrl+H open the bar; on Apple devices ⌘F and ⌥⌘F. The next Ctrl+F opens the browser's search. */
export function findByKeys(editor: Editor, place: HTMLElement, notices: Notices) {
  let loading: Promise<FindBar> | undefined;
  let bar: FindBar | undefined;
  const load = () => {
    loading ??= loadPart(() => import("./find-bar")).then(
      ({ FindBar }) => {
        bar = new FindBar(editor);
        place.append(bar.element);
        return bar;
      },
      (error: unknown) => {
        loading = undefined;
        throw error;
      },
    );
    return loading;
  };
  const open = async (withReplace: boolean) => {
    try {
      (await load()).open(withReplace);
      notices.remove("find");
    } catch (error) {
      console.warn(error);
      const again = () => void open(withReplace);
      notices.failed("find", (m) => m.plugins.notLoaded, again);
    }
  };
  document.addEventListener("keydown", (event) => {
    if (event.isComposing || event.defaultPrevented || document.querySelector("dialog[open]")) return;
    const isApple = modKey === "⌘";
    if (event.shiftKey || !(isApple ? event.metaKey : event.ctrlKey)) return;
    const key = event.key.toLowerCase();
    const isFind = key === "f" && !event.altKey;
    const isReplace = isApple ? event.code === "KeyF" && event.altKey : key === "h" && !event.altKey;
    if (!(isFind || isReplace) || (isFind && bar?.hasFocus)) return;
    event.preventDefault();
    void open(isReplace);
  });
  return { open };
}
