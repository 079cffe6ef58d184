/** `<copydesk-skills>`: the sources of skills, with what was found in them. It emits `look` with the id of a source. */
import type { SkillSource, SkillSourceState } from "copydesk/skills";
import type { AssistantWords } from "./assistant-words";
import { h } from "./h";
import { SettingsList, field } from "./settings-list";

export class SkillsPanel extends SettingsList<SkillSource> {
  private known: readonly SkillSourceState[] = [];
  private source = field("text");
  private add = h("button", { type: "submit", class: "copydesk-button main" });

  /** The states of the sources. */
  set states(states: readonly SkillSourceState[]) {
    this.known = states;
    if (this.isShown) this.drawRows(this.words);
  }

  protected about = (words: AssistantWords): string => words.skillsHint;
  protected none = (words: AssistantWords): string => words.noSkills;

  protected form(): HTMLElement {
    const form = h("form", { class: "copydesk-settings-form" }, this.source.label, this.add);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const source = this.source.input.value.trim();
      if (!source) return this.source.input.focus();
      if (this.items.some((item) => item.source === source)) {
        this.problem.textContent = this.words.known;
        return;
      }
      this.source.input.value = "";
      this.change([...this.items, { id: crypto.randomUUID(), source, enabled: true }]);
    });
    return form;
  }

  protected drawForm(words: AssistantWords): void {
    this.source.name.textContent = words.skillSource;
    this.source.input.placeholder = words.skillSourceHint;
    this.add.textContent = words.addSkill;
  }

  protected row(item: SkillSource, at: number, words: AssistantWords): HTMLLIElement {
    const state = this.known.find(({ id }) => id === item.id);
    const { skills = [], error, warnings = [] } = state ?? {};
    const isOn = item.enabled !== false;
    const toggle = (enabled: boolean) => this.change(this.with(at, { ...item, enabled }));
    const status = words.skillStates[isOn ? (state?.state ?? "loading") : "disabled"];
    const names = skills.map(({ name }) => name).join(", ");
    return h(
      "li",
      { class: "copydesk-setting", "data-off": !isOn, "data-state": state?.state ?? "loading" },
      this.toggle(item.source, isOn, `on-${item.id}`, toggle),
      h(
        "div",
        { class: "copydesk-setting-body" },
        h("strong", { class: "copydesk-setting-name" }, item.source),
        h(
          "span",
          { class: "copydesk-setting-state", role: "status" },
          names && isOn ? words.skillNames(names) : status,
        ),
        ...[error, ...warnings].map((problem) => problem && h("p", { class: "copydesk-problem" }, problem.message)),
        ...skills.map((skill) =>
          h(
            "details",
            {},
            h("summary", {}, skill.name),
            h("p", {}, skill.description),
            h("pre", { tabindex: 0 }, skill.content),
            !!skill.files?.length && h("p", { class: "copydesk-hint" }, words.filesOf(skill.files.length)),
          ),
        ),
        h(
          "div",
          { class: "copydesk-setting-actions" },
          isOn && this.button(words.look, words.look, `look-${item.id}`, () => this.emit("look", item.id)),
          this.button(words.removeShort, words.remove(item.source), `remove-${item.id}`, () =>
            this.change(this.with(at)),
          ),
        ),
      ),
    );
  }
}
