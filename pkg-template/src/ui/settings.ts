/** `<copydesk-settings>`. */

import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import { testConnection, type Connection } from "../model-settings/connection.js";
import { PRICE_DATE } from "../model-settings/list-prices.js";
import {
  formats,
  presetOf,
  presets,
  serviceKeyUrls,
  services,
  type Preset,
  type PresetId,
} from "../model-settings/presets.js";
import { knownPrice, thinkingLevels, type KeyOwner, type ModelSettings } from "../model-settings/settings.js";
import { isApi } from "../agent/wire-formats.js";
import { define } from "./element.js";
import { icon } from "./icons.js";
import { PanelElement } from "./panel-element.js";
import { fieldStyle } from "./panel-styles.js";
import {
  invalidFields,
  isHttp,
  originOf,
  type SettingsField,
  type SettingsPart,
  type SettingsProblem,
} from "./settings-checks.js";
import { choices, selectField, textField, type TextField } from "./settings-fields.js";
import { settingsStyle } from "./settings-style.js";
import { base } from "./styles.js";

/** The fields that are folded. */
const MORE: readonly SettingsField[] = ["temperature", "priceIn", "priceOut"];

/**
 * A form for the model, its provider and key, and for the search services. It changes nothing itself: `settings-save` has
 * what the user has entered.
 *
 * @tagname copydesk-settings
 * @fires {CustomEvent<{ settings: ModelSettings }>} settings-save - The user has saved settings, which are valid.
 * @fires {CustomEvent} settings-cancel - The user has given up; the form shows the property `settings` again.
 * @slot model - Below the choice of a provider.
 * @slot missing - Shown while `settings` is missing.
 * @csspart form - The form.
 * @csspart body - The part that scrolls.
 * @csspart section - A group of settings.
 * @csspart heading - The name of a group.
 * @csspart choices - A choice of a provider or service.
 * @csspart field - A field with its label.
 * @csspart input - The input of a field.
 * @csspart reveal - The button that shows a key.
 * @csspart key-link - The link to where a key is made.
 * @csspart hint - A sentence about a choice.
 * @csspart problem - What is wrong with a field.
 * @csspart test - The button that tests the connection.
 * @csspart outcome - What the test has found.
 * @csspart foot - The line with the buttons.
 * @csspart cancel - The button that gives up.
 * @csspart save - The button that saves.
 * @csspart empty - Shown while `settings` is missing.
 */
export class CopydeskSettings extends PanelElement {
  static override properties: PropertyDeclarations = {
    settings: { attribute: false },
    presets: { attribute: false },
    parts: { attribute: false },
    draft: { state: true },
    invalid: { state: true },
    revealed: { state: true },
    connection: { state: true },
    models: { state: true },
    isMoreOpen: { state: true },
  };
  static override styles = [base, fieldStyle, settingsStyle];

  /** The settings that the form begins with; `settingsOf` of copydesk/assistant returns some. */
  declare settings: ModelSettings | undefined;
  /** The providers to choose from. Default: all of copydesk/assistant. */
  declare presets: readonly Preset[];
  /** The groups that are shown. Default: all. */
  declare parts: readonly SettingsPart[];
  /** The settings as the user has entered them. */
  declare private draft: ModelSettings | undefined;
  declare private invalid: ReadonlyMap<SettingsField, SettingsProblem>;
  declare private revealed: ReadonlySet<string>;
  declare private connection: "testing" | { result: Connection; modelId: string } | null;
  declare private models: readonly string[];
  declare private isMoreOpen: boolean;
  #test = 0;
  /** The value that the page gave last, as JSON. */
  #given: string | undefined;
  /** The owners of the keys that were entered here. */
  #entered: ReadonlySet<KeyOwner> = new Set();

  constructor() {
    super();
    this.presets = presets;
    this.parts = ["model", "web", "images", "keys"];
    this.#begin();
  }

  protected override missing(): string | null {
    return this.settings
      ? null
      : "needs the property `settings`, which `settingsOf` of copydesk/assistant returns, or the ones that were saved.";
  }

  override willUpdate(changed: Map<string, unknown>): void {
    if (!changed.has("settings")) return;
    const given = JSON.stringify(this.settings);
    // A page that is drawn again may give a copy: what the user has entered stays.
    if (given !== this.#given) this.#begin();
    this.#given = given;
  }

  protected override render(): TemplateResult {
    const { m, draft, parts } = this;
    if (!draft) return this.empty();
    return html`<form part="form" novalidate lang=${m.lang} @submit=${this.#submitted}>
      <fieldset class="all" ?disabled=${this.disabled}>
        <div class="body" part="body">
          ${parts.includes("model") ? this.#model(draft) : nothing}
          ${parts.includes("web") ? this.#web(draft) : nothing}
          ${parts.includes("images") ? this.#images(draft) : nothing}
          ${parts.includes("keys") ? this.#remember(draft) : nothing}
        </div>
        <div class="foot" part="foot">
          <button type="button" class="button plain" part="cancel" @click=${this.#cancel}>${m.cancel}</button>
          <button type="submit" class="button" part="save">${m.save}</button>
        </div>
      </fieldset>
    </form>`;
  }

  /** Shows the property `settings`. */
  #begin(): void {
    const { settings } = this;
    this.draft = settings && { ...settings, keys: { ...settings.keys } };
    this.isMoreOpen = !!settings && (MORE.some((name) => settings[name] !== "") || settings.thinkingLevel !== "");
    this.invalid = new Map();
    this.revealed = new Set();
    this.connection = null;
    this.models = [];
    this.#entered = new Set();
    this.#test++;
  }

  /** Returns a provider of the app, or one of copydesk/assistant. */
  #presetOf(id: string): Preset {
    return this.presets.find((preset) => preset.id === id) ?? presetOf(id);
  }

  #set(changes: Partial<ModelSettings>): void {
    if (!this.draft) return;
    this.draft = { ...this.draft, ...changes };
    // An outcome is about the endpoint that was tested.
    if ("baseUrl" in changes || "preset" in changes || "api" in changes || "keys" in changes) this.connection = null;
  }

  #model(draft: ModelSettings): TemplateResult {
    const m = this.m.settings;
    const preset = this.#presetOf(draft.preset);
    return html`<section part="section">
      <h3 part="heading">${m.model}</h3>
      ${choices(
        "preset",
        m.provider,
        this.presets.map(({ id, name }) => [id, name ?? m.custom]),
        draft.preset,
        (id) => this.#select(this.#presetOf(id)),
      )}
      ${this.#hint(draft, preset)}
      <slot name="model"></slot>
      <div class="fields two">
        ${this.#text(draft, "modelId", { label: m.modelId, list: "models" })} ${this.#format(draft)}
      </div>
      <div class="fields">
        ${this.#key(draft, draft.preset, preset.needsKey ? m.apiKey : m.keyOptional)}
        ${preset.keyUrl ? this.#link(preset.name ?? "", preset.keyUrl) : nothing}
        ${this.#text(draft, "baseUrl", { label: m.baseUrl, type: "url", placeholder: formats[draft.api].baseUrl })}
      </div>
      ${this.#connection(draft)} ${this.#more(draft)}
    </section>`;
  }

  #hint(draft: ModelSettings, { id, needsKey }: Preset): TemplateResult | typeof nothing {
    const m = this.m.settings;
    const lacksKey = needsKey && !this.#keysOf(draft)[id]?.trim();
    const text = draft.fromLink
      ? m.linkHint
      : id === "ollama"
        ? m.ollamaHint(location.origin)
        : lacksKey
          ? m.keyHint
          : "";
    return text ? html`<p class="field-hint" part="hint">${text}</p>` : nothing;
  }

  #format(draft: ModelSettings): TemplateResult {
    const options = Object.entries(formats).map(([api, { name }]) => [api, name] as const);
    return selectField("format", this.m.settings.format, options, draft.api, (api) => this.#chooseFormat(api));
  }

  #chooseFormat(api: string): void {
    if (!this.draft || !isApi(api)) return;
    this.#set({ api });
    if (this.#presetOf(this.draft.preset).apis.includes(api)) return;
    // The current provider does not support the format: select one that does.
    this.#select(this.presets.find((preset) => preset.apis[0] === api) ?? this.#presetOf("custom"));
  }

  #select(preset: Preset): void {
    const { draft } = this;
    if (!draft) return;
    const { id, baseUrl, modelId, apis } = preset;
    this.#set({ preset: id, baseUrl, modelId, fromLink: false, api: apis.includes(draft.api) ? draft.api : apis[0]! });
  }

  #typed(name: SettingsField, value: string): void {
    const { draft } = this;
    if (!draft) return;
    this.#set({ [name]: value });
    if (name !== "baseUrl") return;
    const preset = this.#presetOf(draft.preset);
    // A URL other than the preset's is a custom endpoint, which must not receive the preset's key.
    const isOther = preset.id !== "custom" && preset.id !== "ollama" && value.trim() !== preset.baseUrl;
    this.#set({
      ...(isOther ? { preset: "custom" } : {}),
      fromLink: draft.fromLink && value === this.settings?.baseUrl,
    });
  }

  #text(draft: ModelSettings, name: SettingsField, field: Omit<TextField, "id" | "value" | "typed">): TemplateResult {
    const invalid = this.invalid.get(name);
    return textField({
      ...field,
      id: `field-${name}`,
      value: draft[name],
      problem: invalid && this.m.settings.problems[invalid],
      typed: (value) => this.#typed(name, value),
    });
  }

  #key(draft: ModelSettings, owner: KeyOwner, label: string): TemplateResult {
    const { showKey } = this.m.settings;
    // The model's field is the same for all providers.
    const name = owner === "tavily" || owner === "unsplash" ? owner : "model";
    const id = `${name}-key`;
    const isShown = this.revealed.has(name);
    return html`<div class="field" part="field">
      <label for=${id}>${label}</label>
      <div class="field-box">
        <input
          id=${id}
          part="input"
          type=${isShown ? "text" : "password"}
          autocomplete="off"
          autocapitalize="off"
          spellcheck="false"
          data-1p-ignore
          .value=${live(this.#keysOf(draft)[owner] ?? "")}
          @input=${(event: Event) => this.#typedKey(owner, (event.target as HTMLInputElement).value)}
        />
        <button
          type="button"
          class="tool reveal"
          part="reveal"
          aria-pressed=${isShown}
          aria-label=${showKey}
          title=${showKey}
          @click=${() => this.#reveal(name, !isShown)}
        >
          ${icon("eye")}
        </button>
      </div>
    </div>`;
  }

  #typedKey(owner: KeyOwner, value: string): void {
    this.#entered = new Set([...this.#entered, owner]);
    const { [owner]: _, ...others } = this.draft?.keys ?? {};
    this.#set({ keys: value ? { ...others, [owner]: value } : others });
  }

  /** Returns the keys without those that belong to another endpoint. */
  #keysOf({ keys, preset, baseUrl }: ModelSettings): ModelSettings["keys"] {
    const foreign = (["custom", preset] as const).filter(
      (owner) => !this.#entered.has(owner) && !this.#homesOf(owner).includes(originOf(baseUrl)),
    );
    return Object.fromEntries(Object.entries(keys).filter(([owner]) => !foreign.some((each) => each === owner)));
  }

  /** Returns the origins that may get a key that was saved. */
  #homesOf(owner: PresetId): readonly (string | undefined)[] {
    const { settings } = this;
    const urls = [this.#presetOf(owner).baseUrl, settings?.preset === owner ? settings.baseUrl : ""];
    return urls.map(originOf).filter((origin) => origin !== undefined);
  }

  #reveal(name: string, isShown: boolean): void {
    const revealed = new Set(this.revealed);
    if (isShown) revealed.add(name);
    else revealed.delete(name);
    this.revealed = revealed;
  }

  #link(provider: string, href: string): TemplateResult {
    return html`<a class="key-link" part="key-link" target="_blank" rel="noopener noreferrer" href=${href}
      >${this.m.settings.getKey(provider)}</a
    >`;
  }

  #connection(draft: ModelSettings): TemplateResult {
    const m = this.m.settings.connection;
    const { connection } = this;
    return html`<div class="connection">
      <button
        type="button"
        class="button plain small"
        part="test"
        ?disabled=${connection === "testing"}
        @click=${() => void this.#testConnection(draft)}
      >
        ${m.test}
      </button>
      <p
        class="field-hint"
        part="outcome"
        role="status"
        .textContent=${connection === "testing" ? m.testing : connection ? this.#outcome(connection.result, connection.modelId) : ""}
      ></p>
      <datalist id="models">${this.models.map((id) => html`<option value=${id}></option>`)}</datalist>
    </div>`;
  }

  #outcome(result: Connection, modelId: string): string {
    const m = this.m.settings.connection;
    if ("problem" in result) return m[result.problem](result.status ?? 0);
    const isListed = !modelId || result.models.includes(modelId) || result.models.includes(`${modelId}:latest`);
    return isListed ? m.works(result.models.length) : m.notListed(modelId, result.models.length);
  }

  async #testConnection(draft: ModelSettings): Promise<void> {
    const { api, baseUrl, modelId, preset } = draft;
    if (!isHttp(baseUrl)) return void (this.invalid = new Map([["baseUrl", "url"]]));
    this.invalid = new Map();
    this.connection = "testing";
    const test = ++this.#test;
    const result = await testConnection({ api, baseUrl, apiKey: this.#keysOf(draft)[preset] ?? "" });
    // The endpoint is another one by now.
    if (test !== this.#test || this.connection !== "testing") return;
    this.connection = { result, modelId: modelId.trim() };
    if ("models" in result) this.models = result.models;
  }

  #more(draft: ModelSettings): TemplateResult {
    const m = this.m.settings;
    const known = knownPrice(draft);
    const price = (name: "priceIn" | "priceOut", listed: number | undefined) =>
      this.#text(draft, name, { label: m[name], inputmode: "decimal", placeholder: String(listed ?? m.priceHint) });
    const toggled = (event: Event) => (this.isMoreOpen = (event.target as HTMLDetailsElement).open);
    return html`<details class="more" .open=${live(this.isMoreOpen)} @toggle=${toggled}>
      <summary>${m.more}</summary>
      <div class="fields two">
        ${this.#thinking(draft)}
        ${this.#text(draft, "temperature", { label: m.temperature, inputmode: "decimal", placeholder: m.modelDefault })}
      </div>
      <div class="fields two">${price("priceIn", known?.input)} ${price("priceOut", known?.output)}</div>
      <p class="field-hint" part="hint" ?hidden=${!known}>${m.estimatedPrice(PRICE_DATE)}</p>
    </details>`;
  }

  #thinking(draft: ModelSettings): TemplateResult {
    const m = this.m.settings;
    const options = thinkingLevels.map((level) => [level, m.thinkingLevels[level]] as const);
    const choose = (thinkingLevel: ModelSettings["thinkingLevel"]) => this.#set({ thinkingLevel });
    return selectField("thinking", m.thinkingLevel, options, draft.thinkingLevel, choose);
  }

  #web(draft: ModelSettings): TemplateResult {
    const m = this.m.settings;
    const options = [
      ["wikipedia", m.keyless("Wikipedia")],
      ["tavily", "Tavily"],
    ] as const;
    return html`<section part="section">
      <h3 part="heading">${m.web}</h3>
      ${choices("web", m.web, options, draft.web, (web) => this.#set({ web }), true)}
      ${draft.web === "tavily" ? this.#service(draft, "tavily", "Tavily", "tavilyUrl") : nothing}
    </section>`;
  }

  #images(draft: ModelSettings): TemplateResult {
    const m = this.m.settings;
    const options = [
      ["openverse", m.keyless("Openverse")],
      ["unsplash", "Unsplash"],
    ] as const;
    return html`<section part="section">
      <h3 part="heading">${m.images}</h3>
      ${choices("images", m.images, options, draft.images, (images) => this.#set({ images }), true)}
      ${draft.images === "unsplash" ? this.#service(draft, "unsplash", "Unsplash", "unsplashUrl") : nothing}
    </section>`;
  }

  #service(
    draft: ModelSettings,
    owner: "tavily" | "unsplash",
    provider: string,
    name: "tavilyUrl" | "unsplashUrl",
  ): TemplateResult {
    const m = this.m.settings;
    return html`<div class="fields">
      ${this.#key(draft, owner, m.apiKey)} ${this.#link(provider, serviceKeyUrls[owner])}
      ${this.#text(draft, name, { label: m.baseUrl, type: "url" })}
    </div>`;
  }

  #remember(draft: ModelSettings): TemplateResult {
    const m = this.m.settings;
    const changed = (event: Event) => this.#set({ rememberKeys: (event.target as HTMLInputElement).checked });
    return html`<label class="checkbox"
      ><input type="checkbox" name="remember" .checked=${live(draft.rememberKeys)} @change=${changed} /><span
        ><span>${m.rememberKeys}</span><small>${m.rememberKeysHint}</small></span
      ></label
    >`;
  }

  #cancel = (): void => {
    this.#begin();
    this.emit("settings-cancel", {});
  };

  #submitted = (event: Event): void => {
    event.preventDefault();
    const { draft } = this;
    if (!draft || this.disabled) return;
    this.invalid = invalidFields(draft, this.parts);
    if (this.invalid.size) {
      this.isMoreOpen ||= MORE.some((name) => this.invalid.has(name));
      return void this.#focusInvalid();
    }
    const { tavilyUrl, unsplashUrl } = draft;
    this.emit("settings-save", {
      settings: {
        ...draft,
        keys: this.#keysOf(draft),
        tavilyUrl: tavilyUrl || services.tavily,
        unsplashUrl: unsplashUrl || services.unsplash,
      },
    });
  };

  async #focusInvalid(): Promise<void> {
    await this.updateComplete;
    this.shadowRoot?.querySelector<HTMLElement>("[aria-invalid]")?.focus();
  }
}

export type { ModelSettings, Preset, PresetId, SettingsPart };

define("copydesk-settings", CopydeskSettings);

declare global {
  interface HTMLElementTagNameMap {
    "copydesk-settings": CopydeskSettings;
  }
}
