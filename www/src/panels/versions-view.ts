/** `<copydesk-versions>`: the versions of one file, each compared with the file as it is, and restored. */
import type { FileVersion, WorkspaceChange } from "copydesk/workspace";
import { diffView } from "./diff-view";
import { PanelElement, messageOf } from "./element";
import { isSame } from "./is-same";
import { h, set } from "./h";
import { groupsOf } from "./version-groups";
import type { Words } from "./words";

/** Emits `back`. */
export class VersionsView extends PanelElement {
  private back = h("button", { type: "button", class: "copydesk-text-button" });
  private heading = h("h3", { class: "copydesk-folder" });
  private list = h("ol", { class: "copydesk-versions" });
  private status = h("div", { class: "copydesk-status", role: "status" });
  /** Returns what the status shows, in a language. */
  private said: ((words: Words) => string) | null = null;
  private found: FileVersion[] = [];
  /** The version that the file has; null if there is no file. */
  private now: string | null = null;
  private opened: string | null = null;
  /** The oldest versions of the groups that are unfolded: newer ones may join a group. */
  private unfolded = new Set<string>();
  private shownPath: string | null = null;

  get path(): string | null {
    return this.shownPath;
  }

  set path(path: string | null) {
    this.shownPath = path;
    this.opened = null;
    this.unfolded.clear();
    this.found = [];
    this.said = null;
    if (this.workspace && this.isConnected) void this.changed();
  }

  override focus(): void {
    this.back.focus();
  }

  protected build(): void {
    this.back.addEventListener("click", () => this.emit("back", null));
    this.append(this.back, this.heading, this.status, this.list);
  }

  protected draw(words: Words): void {
    this.back.textContent = `‹ ${words.backToFiles}`;
    this.heading.textContent = this.shownPath === null ? "" : words.versionsOf(this.shownPath);
    this.status.textContent = this.said?.(words) ?? "";
    this.drawList(words);
  }

  protected async changed(change?: WorkspaceChange): Promise<void> {
    const { shownPath: path, workspace } = this;
    if (path === null || !workspace || (change && change.path !== path)) return;
    try {
      const [found, now] = await Promise.all([
        workspace.versions(path),
        workspace.read(path).then(
          ({ version }) => version,
          () => null,
        ),
      ]);
      if (path !== this.shownPath) return;
      // What is the same is not drawn again: the user may be pressing a button of it.
      if (this.found.length && isSame([found, now], [this.found, this.now])) return;
      [this.found, this.now] = [found, now];
      this.said = null;
      this.draw(this.words);
    } catch (error) {
      this.sayError(error);
    }
  }

  private drawList(words: Words): void {
    const { version: focused, group } = (document.activeElement as HTMLElement | null)?.dataset ?? {};
    if (!this.found.length) this.list.replaceChildren(h("li", { class: "copydesk-hint" }, words.noVersions));
    else this.list.replaceChildren(...groupsOf(this.found).map((versions) => this.group(versions, words)));
    const selector =
      group !== undefined
        ? `[data-group="${CSS.escape(group)}"]`
        : focused && `[data-version="${CSS.escape(focused)}"]`;
    if (selector) this.list.querySelector<HTMLElement>(selector)?.focus();
  }

  /** Returns the row of the newest version of a group; a button unfolds the others. */
  private group([newest, ...others]: FileVersion[], words: Words): HTMLElement {
    const item = this.row(newest!, words);
    const oldest = others.at(-1);
    if (!oldest) return item;
    const isUnfolded = this.unfolded.has(oldest.id) || others.some(({ id }) => id === this.opened);
    const more = h(
      "button",
      {
        type: "button",
        class: "copydesk-text-button copydesk-more-versions",
        "data-group": oldest.id,
        "aria-expanded": String(isUnfolded),
      },
      words.earlierSaves(others.length),
    );
    more.addEventListener("click", () => {
      if (isUnfolded) this.unfolded.delete(oldest.id);
      else this.unfolded.add(oldest.id);
      if (isUnfolded && others.some(({ id }) => id === this.opened)) this.opened = null;
      this.drawList(this.words);
    });
    item.append(more);
    if (isUnfolded) item.append(h("ol", {}, ...others.map((version) => this.row(version, words))));
    return item;
  }

  private row(version: FileVersion, words: Words): HTMLElement {
    const time = new Date(version.time).toLocaleString(words.lang, { dateStyle: "medium", timeStyle: "medium" });
    const isNow = version === this.found.find((each) => each.version === this.now && !each.removed);
    const says = [words.authors[version.author], version.removed && words.deletedVersion, isNow && words.current];
    const head = h(
      "button",
      {
        type: "button",
        class: "copydesk-version",
        "data-version": version.id,
        "aria-expanded": String(this.opened === version.id),
      },
      h("span", { class: "copydesk-version-time" }, time),
      h("span", { class: "copydesk-version-author" }, says.filter(Boolean).join(" · ")),
      version.note ? h("span", { class: "copydesk-version-author" }, version.note) : false,
    );
    const item = h("li", {}, head);
    if (version.removed) head.disabled = true;
    head.addEventListener("click", () => {
      this.opened = this.opened === version.id ? null : version.id;
      this.drawList(this.words);
    });
    if (this.opened === version.id) {
      const details = h("div", { class: "copydesk-version-details" });
      item.append(details);
      void this.compare(details, version, isNow, words);
    }
    return item;
  }

  private async compare(item: HTMLElement, version: FileVersion, isNow: boolean, words: Words): Promise<void> {
    const { workspace, shownPath: path } = this;
    if (!workspace || path === null) return;
    try {
      const old = await workspace.readVersion(path, version.id);
      const text = this.now === null ? "" : (await workspace.read(path)).text;
      if (isNow || old === text) return item.append(h("p", { class: "copydesk-hint" }, words.sameText));
      const view = diffView(old, text, words);
      set(view, { "aria-label": words.comparedWithNow });
      const restore = h("button", { type: "button", class: "copydesk-button" }, words.restore);
      restore.addEventListener("click", () => void this.restore(path, version.id));
      item.append(h("p", { class: "copydesk-hint" }, words.comparedWithNow), view, restore);
    } catch (error) {
      item.append(h("p", { class: "copydesk-problem" }, messageOf(error)));
    }
  }

  private async restore(path: string, id: string): Promise<void> {
    try {
      await this.workspace!.restore(path, id);
      this.opened = null;
      await this.changed();
      this.said = (words) => words.restored;
      this.draw(this.words);
      this.focus();
    } catch (error) {
      this.sayError(error);
    }
  }

  /** Shows an error while the page has the language of its message. */
  private sayError(error: unknown): void {
    const { language } = this;
    this.said = ({ lang }) => (lang === language ? messageOf(error) : "");
    this.status.textContent = this.said(this.words);
  }
}
