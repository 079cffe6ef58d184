/** Draws the templates of the page. */
import { render, type TemplateResult } from "lit";
import { localize, messages, type Messages } from "./locale";

/** A part of the page in a language. */
export type Template = (m: Messages) => TemplateResult;

/** Draws into an element now, with each change of the language, and when the returned function is called. */
export function drawIn(element: HTMLElement, template: Template): () => void {
  const draw = () => void render(template(messages()), element);
  localize(draw);
  return draw;
}

/** Keeps the selection in the document while a button is pressed. */
export const keepSelection = (event: Event): void => event.preventDefault();
