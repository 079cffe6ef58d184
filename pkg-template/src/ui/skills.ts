/** `<copydesk-skills>`. */

import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { FoundSkill, SkillProblem, SkillSource, SkillSourceState, SkillsPlugin } from "../types/skills.js";
import { AddForm } from "./add-form.js";
import { ConfiguredElement, freeName } from "./configured-element.js";
import { define } from "./element.js";
import { cardStyle, fieldStyle, panelStyle } from "./panel-styles.js";
import type { Sentence } from "./sentence.js";
import { base, popup } from "./styles.js";

/**
 * Where skills come from, and what was found there. Sources can be added, turned off, refreshed and removed.
 *
 * @tagname copydesk-skills
 * @fires {CustomEvent<ChangeDetail<readonly SkillSource[]>>} sources-change - The user has changed the sources; after `preventDefault()` the plugin does not get them.
 * @fires {CustomEvent<{ id: string }>} source-refresh - The user wants what is newer in a source; after `preventDefault()` the plugin does not look for it.
 * @slot missing - Shown while `sources` is missing.
 * @csspart hint - What skills are.
 * @csspart list - The list of sources.
 * @csspart card - A source.
 * @csspart enabled - The box that turns a source on and off.
 * @csspart name - The name of a source.
 * @csspart state - The state of a source.
 * @csspart menu - The button that opens the actions of a source.
 * @csspart origin - The URL or path of a source.
 * @csspart skill - A skill, which unfolds.
 * @csspart problem - Why something has failed.
 * @csspart add - The button that opens the form.
 * @csspart form - The form that adds a source.
 * @csspart field - A field of the form with its label.
 * @csspart input - The input of a field.
 * @csspart save - The button that adds the source.
 * @csspart cancel - The button that closes the form.
 * @csspart empty - Shown while `sources` is missing.
 */
export class CopydeskSkills extends ConfiguredElement<"sources-change"> {
  static override properties: PropertyDeclarations = {
    sources: { attribute: false },
    states: { attribute: false },
    plugin: { attribute: false },
  };
  static override styles = [base, popup, fieldStyle, panelStyle, cardStyle];

  /** The sources that are configured. */
  declare sources: readonly SkillSource[] | undefined;
  /** The states of the sources. Default: those of `plugin`. */
  declare states: readonly SkillSourceState[] | undefined;
  /** The plugin that loads the sources; it gets what the user changes. */
  declare plugin: SkillsPlugin | undefined;
  #form = new AddForm(this, (fields) => this.#add(fields.get("source") ?? ""));

  constructor() {
    super("sources-change");
  }

  protected override get given(): readonly SkillSource[] | undefined {
    return this.sources;
  }

  protected override get applying(): SkillsPlugin | undefined {
    return this.plugin;
  }

  protected override get property(): string {
    return "sources";
  }

  protected override missing(): string | null {
    return this.sources ? null : "needs the property `sources`, the sources of skills (an empty list for none).";
  }

  protected override configure(sources: readonly SkillSource[]): void {
    this.plugin?.configure([...sources]);
  }

  protected override render(): TemplateResult {
    const { m, shown } = this;
    if (!shown) return this.empty();
    return html`<fieldset ?disabled=${this.disabled} lang=${m.lang}>
      <p class="hint" part="hint">${m.skills.hint}</p>
      <ul class="cards" part="list">
        ${repeat(
          shown,
          ({ id }) => id,
          (source) => this.#card(source),
        )}
      </ul>
      ${this.refused()}
      ${this.#form.template(
        m,
        { opener: m.skills.add, ok: m.add },
        this.#form.field({ name: "source", label: m.skills.source, placeholder: m.skills.sourceHint }, true),
      )}
    </fieldset>`;
  }

  #card(source: SkillSource): TemplateResult {
    const { id } = source;
    const m = this.m.skills;
    const enabled = source.enabled !== false;
    const state = (this.states ?? this.plugin?.list ?? []).find((each) => each.id === id);
    const kind = !enabled ? "disabled" : (state?.state ?? "loading");
    const skills = enabled ? (state?.skills ?? []) : [];
    return this.card(
      {
        id,
        name: id,
        enabled,
        setEnabled: (on) => this.#replace(id, { ...source, enabled: on }),
        state: m.states[kind] + (kind === "ready" ? ` · ${m.found(skills.length)}` : ""),
        kind,
        actions: [
          { name: m.refresh, run: () => this.#refresh(id) },
          { name: this.m.remove, run: () => this.#replace(id) },
        ],
      },
      html`<p class="card-origin" part="origin">${state?.origin ?? source.source}</p>`,
      enabled && this.#problems(state?.error, state?.warnings ?? []),
      ...skills.map((skill) => this.#skill(skill)),
    );
  }

  #problems(error: SkillProblem | undefined, warnings: readonly SkillProblem[]): TemplateResult {
    return html`${error ? html`<p class="problem" part="problem">${error.message}</p>` : nothing}
    ${warnings.map(({ message }) => html`<p class="warning">${message}</p>`)}`;
  }

  #skill({ name, description, content, files, trusted }: FoundSkill): TemplateResult {
    const m = this.m.skills;
    return html`<details part="skill">
      <summary>
        <span><strong>${name}</strong><span class="about">${description}</span></span>
      </summary>
      <div class="text" tabindex="0" role="group" aria-label=${name} .textContent=${content.trim()}></div>
      ${
        files.length
          ? html`<p class="hint">${m.files}</p>
              <ul>
                ${files.map((file) => html`<li>${file}</li>`)}
              </ul>`
          : nothing
      }
      ${trusted ? nothing : html`<p class="hint">${m.limitedTrust}</p>`}
    </details>`;
  }

  #refresh(id: string): void {
    if (!this.emit("source-refresh", { id }, true)) return;
    // The plugin tells the failure in the state of the source.
    void this.plugin?.refresh(id).catch((error: unknown) => console.warn(error));
  }

  /** Replaces a source, or removes it. */
  #replace(id: string, other?: SkillSource): void {
    void this.apply((this.shown ?? []).flatMap((each) => (each.id === id ? (other ?? []) : each)));
    if (!other) void this.#form.focusOpener();
  }

  #add(source: string): Sentence | null | Promise<Sentence | null> {
    if (!source) return (m) => m.skills.sourceHint;
    const sources = this.shown ?? [];
    const taken = sources.map(({ id }) => id);
    return this.change([...sources, { id: freeName(nameIn(source), taken), source }]);
  }
}

/** Returns the last part of a URL or path, as a name. */
function nameIn(source: string): string {
  const parts = source.replace(/[?#].*$/, "").split(/[/\\:]/);
  const named = parts.filter((part) => part && !/^(?:SKILL|README)\.md$/i.test(part)).at(-1);
  return named?.replace(/\.git$/, "") || source;
}

define("copydesk-skills", CopydeskSkills);

declare global {
  interface HTMLElementTagNameMap {
    "copydesk-skills": CopydeskSkills;
  }
}
