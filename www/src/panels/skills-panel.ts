/** `<copydesk-skills>`: where skills come from, and what was found there. */
import type { FoundSkill, SkillSource, SkillSourceState } from "copydesk/skills";
import { AddForm, card, ConfiguredPanel, field, freeName, unfolding, type Sentence } from "./assistant-panel";
import type { AssistantWords } from "./assistant-words";
import { h } from "./h";

/**
 * Shows the property `sources` with their `states`. It emits `sources-change` with a `ChangeDetail` of the new sources,
 * and `source-refresh` with the `id` of one.
 */
export class SkillsPanel extends ConfiguredPanel<readonly SkillSource[], SkillSourceState> {
  private hint = h("p", { class: "copydesk-hint" });
  private list = h("ul", { class: "copydesk-cards" });
  private source = field();
  private form = new AddForm(this.source.input, [this.source.element], () => this.add());

  constructor() {
    super("sources-change", []);
  }

  get sources(): readonly SkillSource[] {
    return this.configured;
  }

  set sources(sources: readonly SkillSource[]) {
    this.configure(sources);
  }

  protected build(): void {
    this.append(this.hint, this.list, this.refusal, this.form.element);
  }

  protected draw(words: AssistantWords): void {
    this.hint.textContent = words.skillsHint;
    this.source.draw(words.skillSource, words.skillSourceHint);
    this.form.draw(words, words.addSkill, words.add);
    this.drawRefusal(words);
    this.redraw(this.list, ...this.configured.map((source) => this.card(source, words)));
  }

  private card(source: SkillSource, words: AssistantWords): HTMLElement {
    const { id } = source;
    const enabled = source.enabled !== false;
    const state = this.found.find((each) => each.id === id);
    const kind = !enabled ? "disabled" : (state?.state ?? "loading");
    const skills = enabled ? (state?.skills ?? []) : [];
    const counted = kind === "ready" ? ` · ${words.foundSkills(skills.length)}` : "";
    return card(words, {
      id,
      name: id,
      enabled,
      setEnabled: (on) => this.replace(id, { ...source, enabled: on }),
      state: words.skillStates[kind] + counted,
      kind,
      actions: [
        { name: (w) => w.refresh, run: () => this.emit("source-refresh", { id }) },
        { name: (w) => w.remove, run: () => this.replace(id) },
      ],
      parts: [
        h("p", { class: "copydesk-card-place" }, state?.origin ?? source.source),
        enabled && state?.error && h("p", { class: "copydesk-problem" }, state.error.message),
        ...(enabled ? (state?.warnings ?? []) : []).map(({ message }) =>
          h("p", { class: "copydesk-warning" }, message),
        ),
        ...skills.map((skill) => content(id, skill, words)),
      ],
    });
  }

  /** Replaces a source, or removes it. */
  private replace(id: string, other?: SkillSource): void {
    void this.apply(this.configured.flatMap((each) => (each.id === id ? (other ?? []) : each)));
    if (!other) this.form.opener.focus();
  }

  private add(): Sentence | null | Promise<Sentence | null> {
    const source = this.source.input.value.trim();
    if (!source) return (words) => words.skillSourceHint;
    const taken = this.configured.map(({ id }) => id);
    return this.change([...this.configured, { id: freeName(nameIn(source), taken), source }]);
  }
}

/** Returns the last part of a URL or path, as a name. */
function nameIn(source: string): string {
  const parts = source.replace(/[?#].*$/, "").split(/[/\\:]/);
  const named = parts.filter((part) => part && !/^(?:SKILL|README)\.md$/i.test(part)).at(-1);
  return named?.replace(/\.git$/, "") || source;
}

function content(id: string, { name, description, content, files, trusted }: FoundSkill, words: AssistantWords) {
  return unfolding(
    `${id} ${name}`,
    h("span", {}, h("strong", {}, name), h("span", { class: "copydesk-about" }, description)),
    h("div", { class: "copydesk-text", tabindex: "0" }, content.trim()),
    files.length > 0 && h("p", { class: "copydesk-hint" }, words.filesOfSkill),
    files.length > 0 && h("ul", { class: "copydesk-names" }, ...files.map((file) => h("li", {}, file))),
    !trusted && h("p", { class: "copydesk-hint" }, words.limitedTrust),
  );
}
