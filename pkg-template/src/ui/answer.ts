/** `copydesk/ui/answer`: the Markdown of a model's answer, for apps that draw the conversation by themselves. */

import { render } from "lit";
import { markdown } from "./markdown.js";

/**
 * Shows the Markdown of an answer in an element, which nothing else changes. Text is set as text, so that a model's output never
 * becomes markup. Called again with more of the text, it changes what differs.
 */
export function renderAnswer(text: string, target: HTMLElement): void {
  render(markdown(text), target);
}
