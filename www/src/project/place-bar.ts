/** The choice of the place that has the files, and the sentence of a place that needs permission. */
import type { Access, ProjectState, StoredFolder } from "copydesk/project";
import { html, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import { icon } from "../icons";
import type { Messages } from "../locale";

/** Folders that can be chosen; others are opened again by the browser's dialog, with what is kept of them. */
const MOST_FOLDERS = 5;

export interface PlaceBarOptions {
  /** Called with a folder, or null for the browser's storage. */
  onChoose: (folder: StoredFolder | null) => void;
  /** Called when the user wants to open another folder. */
  onOpen: () => void;
}

/** Returns true where the browser can work in folders of the user's computer. */
const canOpen = (): boolean => "showDirectoryPicker" in window;

/** Returns the choice of the place. */
export function placeBar(m: Messages, state: ProjectState, { onChoose, onOpen }: PlaceBarOptions): TemplateResult {
  const words = m.files.places;
  const folders = state.folders.slice(0, MOST_FOLDERS);
  const current = state.folder?.id ?? "";
  const chosen = ({ currentTarget }: Event) => {
    const select = currentTarget as HTMLSelectElement;
    const id = select.value;
    // The choice is shown when it is made: the assistant may be at work.
    select.value = current;
    onChoose(folders.find((folder) => folder.id === id) ?? null);
  };
  const option = (id: string, name: string) =>
    html`<option value=${id} .selected=${live(id === current)}>${name}</option>`;
  return html`<div class="place">
    <div class="place-choice" ?hidden=${!folders.length}>
      <label class="place-label" for="place">${words.label}</label>
      <select id="place" @change=${chosen}>
        ${option("", words.browser)} ${folders.map(({ id, handle }) => option(id, words.folder(handle.name)))}
      </select>
    </div>
    <button type="button" class="own-document" ?hidden=${!canOpen()} @click=${onOpen}>
      ${icon("files")}<span>${words.open}</span>
    </button>
    <p class="place-hint" ?hidden=${canOpen()}>${words.cannotOpen}</p>
  </div>`;
}

/** Returns the sentence of a place without permission. */
export function accessText(m: Messages, { access, folder }: { access: Access; folder: StoredFolder | null }): string {
  const name = folder?.handle.name ?? "";
  return access === "refused" ? m.files.places.refused(name) : m.files.places.closed(name);
}

/** Returns the sentence in place of a panel whose place needs permission, with the button that asks for it. */
export function accessGate(m: Messages, state: ProjectState, onAsk: () => void): TemplateResult {
  const isOpen = state.access === "open";
  return html`<div class="place-access" role="status" ?hidden=${isOpen}>
    <p>${isOpen ? "" : accessText(m, state)}</p>
    <button type="button" class="button small" @click=${onAsk}>${m.files.places.allow}</button>
  </div>`;
}
