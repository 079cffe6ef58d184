/** The choice of the place that has the files, and the sentence of a place that needs permission. */
import { h } from "../dom";
import { icon } from "../icons";
import type { Messages } from "../locale";
import type { Access, ProjectState, StoredFolder } from "copydesk/project";

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

export class PlaceBar {
  private select = h("select", { id: "place" });
  private label = h("label", { class: "place-label", for: "place" });
  private choice = h("div", { class: "place-choice" }, this.label, this.select);
  private open = h("button", { type: "button", class: "own-document" }, icon("files"), h("span"));
  private hint = h("p", { class: "place-hint" });
  readonly element = h("div", { class: "place" }, this.choice, this.open, this.hint);
  private folders: StoredFolder[] = [];
  private folder: StoredFolder | null = null;

  constructor(options: PlaceBarOptions) {
    this.open.addEventListener("click", options.onOpen);
    this.select.addEventListener("change", () => {
      const chosen = this.select.value;
      // The choice is shown when it is made: the assistant may be at work.
      this.select.value = this.folder?.id ?? "";
      options.onChoose(this.folders.find(({ id }) => id === chosen) ?? null);
    });
  }

  draw(m: Messages, { folder, folders }: ProjectState): void {
    this.folder = folder;
    this.folders = folders.slice(0, MOST_FOLDERS);
    this.label.textContent = m.files.places.label;
    const options = this.folders.map(({ id, handle }) =>
      h("option", { value: id }, m.files.places.folder(handle.name)),
    );
    this.select.replaceChildren(h("option", { value: "" }, m.files.places.browser), ...options);
    this.select.value = folder?.id ?? "";
    this.choice.hidden = !this.folders.length;
    this.open.querySelector("span")!.textContent = m.files.places.open;
    this.open.hidden = !canOpen();
    this.hint.textContent = m.files.places.cannotOpen;
    this.hint.hidden = canOpen();
  }
}

/** Returns the sentence of a place without permission. */
export function accessText(m: Messages, { access, folder }: { access: Access; folder: StoredFolder | null }): string {
  const name = folder?.handle.name ?? "";
  return access === "refused" ? m.files.places.refused(name) : m.files.places.closed(name);
}

/** Shows in a panel that its place needs permission, with the button that asks, and hides the panel meanwhile. */
export class AccessGate {
  private text = h("p", {});
  private button = h("button", { type: "button", class: "button small" });
  readonly element = h("div", { class: "place-access", role: "status", hidden: true }, this.text, this.button);

  constructor(
    private panel: HTMLElement,
    onAsk: () => void,
  ) {
    this.button.addEventListener("click", onAsk);
  }

  draw(m: Messages, state: ProjectState): void {
    const isOpen = state.access === "open";
    const hadFocus = this.element.contains(document.activeElement);
    this.element.hidden = isOpen;
    this.panel.hidden = !isOpen;
    this.text.textContent = isOpen ? "" : accessText(m, state);
    this.button.textContent = m.files.places.allow;
    // The button goes with the sentence.
    if (isOpen && hadFocus) this.panel.focus();
  }
}
