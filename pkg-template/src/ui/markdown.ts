/** Renders the blocks of a model's answer. Text is set as text, so that a model's output never becomes markup. */

import { html, type TemplateResult } from "lit";
import { answerBlocks, type AnswerBlock, type AnswerInline } from "../base/answer-blocks.js";

type Rendered = TemplateResult | string;

function inline(content: readonly AnswerInline[]): Rendered[] {
  return content.map((part) => {
    if (typeof part === "string") return part;
    switch (part.kind) {
      case "strong":
        return html`<strong>${inline(part.content)}</strong>`;
      case "em":
        return html`<em>${inline(part.content)}</em>`;
      case "code":
        return html`<code>${part.text}</code>`;
      case "link":
        return html`<a href=${part.href} target="_blank" rel="noopener noreferrer">${part.label}</a>`;
    }
  });
}

function block(one: AnswerBlock): TemplateResult {
  switch (one.kind) {
    case "paragraph":
      return html`<p>${one.lines.map((line, at) => [at ? html`<br />` : "", ...inline(line)])}</p>`;
    case "heading":
      return html`<p class="message-heading">${inline(one.content)}</p>`;
    case "code":
      return html`<pre tabindex="0"><code>${one.text}</code></pre>`;
    case "list": {
      const rows = one.items.map((item) => html`<li>${inline(item)}</li>`);
      return one.start === undefined
        ? html`<ul>
            ${rows}
          </ul>`
        : html`<ol start=${one.start}>
            ${rows}
          </ol>`;
    }
  }
}

/** Returns the blocks of a text as templates. */
export function markdown(text: string): TemplateResult[] {
  return answerBlocks(text).map(block);
}
