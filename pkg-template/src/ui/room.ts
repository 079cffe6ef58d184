/** `<copydesk-room>`. */

import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import type { Editor } from "@tiptap/core";
import type { Participant, RoomState } from "../room/state.js";
import type { SuggestionsStorage, TypingMode } from "../suggestions/extension.js";
import { define } from "./element.js";
import { FollowController } from "./follow-controller.js";
import { PanelElement } from "./panel-element.js";
import { roomStyle } from "./room-style.js";
import { base } from "./styles.js";

const MODES: readonly TypingMode[] = ["edit", "suggest"];
const LONGEST_NAME = 60;

/**
 * The people and agents in a room, the name of the person at this page and how they write.
 *
 * @tagname copydesk-room
 * @fires {CustomEvent<{ name: string }>} name-change - The user has entered another name, which the app keeps and applies by `setRoomUser`.
 * @slot - What the app adds, such as a button that copies the link of the room.
 * @slot missing - Shown while `room` or `editor` is missing.
 * @csspart name - The field with the name of the person.
 * @csspart others - The list of the others.
 * @csspart participant - One of the others.
 * @csspart mode - The choice between editing and suggesting.
 * @csspart connection - The state of the connection.
 * @csspart empty - Shown while `room` or `editor` is missing.
 */
export class CopydeskRoom extends PanelElement {
  static override properties: PropertyDeclarations = { room: { attribute: false }, editor: { attribute: false } };
  static override styles = [base, roomStyle];

  /** The room, from `openRoom`. */
  declare room: RoomState | undefined;
  /** The editor, with the extensions of the room. */
  declare editor: Editor | undefined;
  #followed = new FollowController(
    this,
    () => {
      const editor = this.mounted(this.editor);
      return editor && this.room && [this.room, editor];
    },
    (room, editor) => this.#follow(room, editor),
  );

  protected override missing(): string | null {
    return this.room && this.editor
      ? null
      : "needs the properties `room`, from openRoom, and `editor`, a TipTap editor.";
  }

  protected override render(): TemplateResult {
    const { current } = this.#followed;
    if (!current) return this.empty();
    const [room, editor] = current;
    const m = this.m.room;
    const { participants, isConnected } = room;
    const self = participants.find(({ isSelf }) => isSelf);
    const others = participants.filter(({ isSelf }) => !isSelf);
    return html`<section lang=${this.m.lang} aria-label=${m.label}>
      <input
        part="name"
        aria-label=${m.name}
        title=${m.name}
        autocomplete="name"
        maxlength=${LONGEST_NAME}
        style=${authorStyle(self)}
        .value=${self?.name ?? ""}
        ?disabled=${this.disabled}
        @change=${(event: Event) => this.#rename(event.target as HTMLInputElement, self?.name ?? "")}
      />
      <select part="mode" aria-label=${m.mode} title=${m.mode} ?disabled=${this.disabled} @change=${this.#setMode}>
        ${MODES.map((mode) => {
          return html`<option value=${mode} .selected=${mode === suggestionsOf(editor)?.mode}>
            ${m.modes[mode]}
          </option>`;
        })}
      </select>
      <ul part="others" aria-label=${m.others} ?hidden=${!others.length}>
        ${others.map((one) => this.#participant(one))}
      </ul>
      <span class="note" ?hidden=${others.length > 0}>${m.alone}</span>
      <span class="note" part="connection" role="status">
        ${isConnected === undefined ? m.local : isConnected ? m.connected : m.offline}
      </span>
      <slot></slot>
    </section>`;
  }

  #participant(one: Participant): TemplateResult {
    const { name, activity } = one;
    return html`<li part="participant" style=${authorStyle(one)}>
      ${activity ? this.m.room.activity(name, activity) : name}
    </li>`;
  }

  #rename(field: HTMLInputElement, before: string): void {
    const name = field.value.trim();
    field.value = name || before;
    if (name && name !== before) this.emit("name-change", { name });
  }

  #setMode(event: Event): void {
    suggestionsOf(this.#followed.current?.[1])?.setMode((event.target as HTMLSelectElement).value as TypingMode);
  }

  #follow(room: RoomState, editor: Editor): () => void {
    const changed = () => this.requestUpdate();
    const end = room.subscribe(changed);
    editor.on("suggestingChange", changed).on("destroy", changed).on("unmount", changed);
    return () => {
      end();
      editor.off("suggestingChange", changed).off("destroy", changed).off("unmount", changed);
    };
  }
}

function suggestionsOf(editor: Editor | undefined): SuggestionsStorage | undefined {
  return editor?.storage.suggestions;
}

/** Returns the style of an author's color, which was validated when it was read. */
function authorStyle(author: Participant | undefined): string | typeof nothing {
  return author?.color ? `--_author: ${author.color}` : nothing;
}

define("copydesk-room", CopydeskRoom);

declare global {
  interface HTMLElementTagNameMap {
    "copydesk-room": CopydeskRoom;
  }
}
