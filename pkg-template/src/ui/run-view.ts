/** The view of a run: the user's message and everything that followed. */

import { html, nothing, type TemplateResult } from "lit";
import { guard } from "lit/directives/guard.js";
import { repeat } from "lit/directives/repeat.js";
import type { AttachedContent } from "../assistant/attachment.js";
import type { Assistant } from "../assistant/controller.js";
import type { Run, RunItem, RunUsage } from "../assistant/run.js";
import type { RunSetup } from "../assistant/stored.js";
import { inWords, type ServerTool } from "../assistant/tool-names.js";
import { ignoreHeld, onPress } from "../review/presses.js";
import { shortened } from "./assistant-element.js";
import { languageOf } from "./element.js";
import { icon } from "./icons.js";
import { markdown } from "./markdown.js";
import { EXPORTED_OF_ROWS } from "./parts.js";
import { reviewOf } from "./tool-row.js";
import type { Words, WordTables } from "./words/index.js";

/** The part of its conversation that a run needs. */
export interface RunContext {
  m: Words;
  language: string;
  words: WordTables | undefined;
  assistant: Assistant;
  disabled: boolean;
  hasSettings: boolean;
  pointed: string | null;
  isEditing: boolean;
  isCopied: boolean;
  retryText: (due: number, reason: string) => string;
  footer: unknown;
  openSettings: () => void;
  tryAgain: () => void;
  undo: () => void;
  edit: () => void;
  cancelEdit: () => void;
  sendEdited: (text: string) => void;
  copy: (text: string) => void;
}

/** Error codes that settings can fix; for others the button is to try again. */
const SETTINGS_ERRORS = new Set([
  "unauthorized",
  "not_found",
  "blocked_by_cors",
  "config",
  "not_a_stream",
  "bad_request",
  "missing_key",
  "model_not_found",
  "quota_exceeded",
  "redirected",
]);

export function runTemplate(run: Run, context: RunContext): TemplateResult {
  const { m } = context;
  const blocks = repeat(
    blocksOf(run.items),
    (block) => (Array.isArray(block) ? block[0]!.id : block.id),
    (block) => (Array.isArray(block) ? timeline(block, context) : itemTemplate(block, run, context)),
  );
  return html`<article class="run" part="run" data-run=${run.id}>
    ${context.isEditing ? editForm(run, context) : prompt(run, context)}
    <div class="answer" part="answer">
      <span class="visually-hidden">${`${m.assistant}: `}</span>${blocks} ${undoTemplate(run, context)}
      ${context.footer}
    </div>
  </article>`;
}

type CallItem = RunItem & { type: "call" };

/** Returns the items of a run, with neighbouring calls together. */
function blocksOf(items: readonly RunItem[]): (RunItem | CallItem[])[] {
  const blocks: (RunItem | CallItem[])[] = [];
  for (const item of items) {
    const last = blocks.at(-1);
    if (item.type !== "call") blocks.push(item);
    else if (Array.isArray(last)) last.push(item);
    else blocks.push([item]);
  }
  return blocks;
}

function userMessage(text: string, attachments: readonly AttachedContent[], m: Words): TemplateResult {
  const names = attachments.map(({ name }) => html`<li dir="auto">${icon("attach")}<span>${name}</span></li>`);
  return html`<div class="user-message" part="message" dir="auto" lang=${languageOf(text.slice(0, 4000))}>
    <span class="visually-hidden">${`${m.you}: `}</span><span class="message-text">${shortened(text)}</span>${
      names.length
        ? html`<ul class="message-attachments" part="message-attachments" lang=${m.lang} aria-label=${m.attached}>
            ${names}
          </ul>`
        : nothing
    }
  </div>`;
}

function prompt(run: Run, { m, disabled, edit }: RunContext): TemplateResult {
  return html`${userMessage(run.prompt, run.attachments, m)}
  ${
    run.canEdit && !disabled
      ? html`<div class="message-tools">
          <button type="button" class="inline-link edit" part="edit" aria-label=${m.editField} @click=${edit}>
            ${m.editMessage}
          </button>
        </div>`
      : nothing
  }`;
}

function editForm(run: Run, { m, cancelEdit, sendEdited }: RunContext): TemplateResult {
  const field = (event: Event) => (event.currentTarget as HTMLElement).closest("form")!.querySelector("textarea")!;
  const submit = (event: Event) => {
    event.preventDefault();
    sendEdited(field(event).value);
  };
  const key = (event: KeyboardEvent) => {
    if (event.isComposing || event.keyCode === 229) return;
    if (event.key === "Escape") {
      event.stopPropagation();
      cancelEdit();
    } else if (event.key === "Enter" && !event.shiftKey && !event.altKey) submit(event);
  };
  return html`<form class="edit-message" @submit=${submit}>
    <textarea
      part="edit-field"
      rows="3"
      aria-label=${m.editField}
      .defaultValue=${run.prompt}
      @keydown=${key}
    ></textarea>
    ${run.canEdit ? nothing : html`<p class="notice" role="status">${m.editLater}</p>`}
    <div class="edit-buttons">
      <button type="submit" class="button small" ?disabled=${!run.canEdit}>${m.sendAgain}</button>
      <button type="button" class="button plain small" @click=${cancelEdit}>${m.cancel}</button>
    </div>
  </form>`;
}

function timeline(items: readonly CallItem[], context: RunContext): TemplateResult {
  const rows = repeat(
    items,
    ({ call }) => call.toolId,
    ({ call }) =>
      html`<li
        class="row"
        part="row"
        data-tool=${call.toolName}
        data-call=${call.toolId}
        data-state=${call.state}
        data-review=${reviewOf(call)}
      >
        <copydesk-tool-row
          exportparts=${EXPORTED_OF_ROWS}
          .call=${call}
          .assistant=${context.assistant}
          .locale=${context.language}
          .words=${context.words}
          .disabled=${context.disabled}
          ?data-pointed=${context.pointed === call.toolId}
        ></copydesk-tool-row>
      </li>`,
  );
  return html`<ol class="timeline" part="timeline">
    ${rows}
  </ol>`;
}

function itemTemplate(item: RunItem, run: Run, context: RunContext): unknown {
  const { m } = context;
  switch (item.type) {
    case "setup":
      return setupTemplate(item.setup, m);
    case "text":
      return guard(
        [item.text],
        () =>
          html`<div class="assistant-message" part="message" dir="auto" lang=${languageOf(item.text.slice(0, 4000))}>
            ${markdown(shortened(item.text, 200_000))}
          </div>`,
      );
    case "thinking":
      return html`<details class="thinking" part="thinking">
        <summary>${item.isDone ? m.thoughts : m.thinking}</summary>
        <div class="thinking-text"><span class="message-text" dir="auto">${item.text}</span></div>
      </details>`;
    case "user":
      return userMessage(item.text, item.attachments, m);
    case "notice":
      return html`<p class="notice" part="notice" data-code=${item.code}>
        ${item.code === "settings_changed" ? settingsNotice(item.message, context.assistant, m) : item.message}
      </p>`;
    case "compaction":
      return html`<p class="notice compaction" part="notice">${m.compacted(item.before, item.after)}</p>`;
    case "retry":
      return html`<p class="notice retrying" part="notice">${context.retryText(item.due, item.reason)}</p>`;
    case "end":
      return endTemplate(item, run, context);
    case "stopped":
      return html`<p class="run-end stopped" part="end">${m.stopped}</p>`;
    case "failure":
      return failure(item.code === "wasm_load" ? m.engineFailed : item.message, item.code, run, context);
    case "interrupted":
      return html`<div class="failure interrupted" part="failure">
        <p>${m.interrupted}</p>
        ${againButton(m.continueRun, context)}
      </div>`;
    case "call":
      return nothing;
  }
}

function endTemplate(item: RunItem & { type: "end" }, run: Run, { m, isCopied, copy }: RunContext): TemplateResult {
  const time = item.ms === undefined ? "" : m.seconds(item.ms);
  const answer = run.items.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n\n");
  return html`<div class="run-foot">
    <p class="run-end" part="end">${m.summary(item.edits, time, costText(item.usage, m))}</p>
    ${
      answer
        ? html`<button type="button" class="inline-link copy" part="copy" @click=${() => copy(answer)}>
            ${isCopied ? m.copied : m.copy}
          </button>`
        : nothing
    }
  </div>`;
}

/** Returns the cost where prices are known, otherwise the tokens. */
function costText(usage: RunUsage | undefined, m: Words): string {
  if (!usage) return "";
  if (usage.cost === null) return usage.tokens ? m.tokens(usage.tokens) : "";
  return usage.isEstimated ? m.estimated(m.cost(usage.cost)) : m.cost(usage.cost);
}

function failure(message: string, code: string, run: Run, context: RunContext): TemplateResult {
  const { m, hasSettings, openSettings } = context;
  const helps = hasSettings && SETTINGS_ERRORS.has(code);
  const button = helps
    ? html`<button type="button" class="button small" @click=${openSettings}>${m.openSettings}</button>`
    : againButton(m.tryAgain, context);
  return html`<div class="failure" part="failure" data-code=${code}>
    <p>${message}</p>
    ${run.canTryAgain ? button : nothing}
  </div>`;
}

function againButton(name: string, { tryAgain, disabled }: RunContext): TemplateResult {
  return html`<button type="button" class="button small" ?disabled=${disabled} @click=${tryAgain}>${name}</button>`;
}

function undoTemplate(run: Run, { m, undo, disabled }: RunContext): TemplateResult | typeof nothing {
  const state = run.undo;
  if (!state) return nothing;
  const said =
    state.is === "offered"
      ? html`<button
          type="button"
          class="button plain small undo-run"
          part="undo"
          ?disabled=${disabled}
          @click=${onPress(undo)}
          @keydown=${ignoreHeld}
        >
          ${m.undoRun}
        </button>`
      : state.is === "nothing"
        ? m.nothingToUndo
        : state.left.length
          ? m.undoneExcept([...state.left])
          : m.undone;
  return html`<div class="run-undo" role="status">${said}</div>`;
}

/** Returns the line of what a run began with, which unfolds. */
function setupTemplate({ skills, servers, rules }: RunSetup, m: Words): TemplateResult {
  const lines = [
    ...rules.map((rule, at) => m.plugins.ruleRow(at + 1, rule)),
    ...skills.map((name) => m.plugins.skillRow(name)),
    ...servers.map(({ name, tools }) => m.plugins.serverRow(name, tools)),
  ];
  return html`<details class="run-setup" part="setup">
    <summary>
      ${icon("skills")}<span>${m.plugins.setup(skills.length, servers.length, rules.length)}</span>${icon("chevron")}
    </summary>
    <ul>
      ${lines.map((line) => html`<li>${line}</li>`)}
    </ul>
  </details>`;
}

/** Returns what has changed in words: tools have names for people. */
export function settingsNotice(changes: string, assistant: Assistant, m: Words): string {
  const named = (name: string) => {
    const found: ServerTool | null = assistant.serverTool(name);
    return found ? m.plugins.toolOf(found.server, found.tool) : (m.plugins.tools[name] ?? inWords(name));
  };
  // Tools of servers have two underscores in their names; others are those of the package.
  return m.plugins.settingsChanged(changes.replace(/[\w-]*[A-Za-z0-9]_[\w-]+/g, named));
}
