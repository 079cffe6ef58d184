/** The settings dialog: model, search services, and their keys. */
import { showDialog } from "../dialog";
import { h, set } from "../dom";
import { icon } from "../icons";
import { messages, type Messages } from "../locale";
import { describeConnection, testConnection } from "./connection";
import { formats, isApi, presetOf, presets, serviceKeyUrls, services, type Preset } from "./presets";
import { PRICE_DATE } from "./prices";
import { knownPrice, thinkingLevels, type KeyOwner, type Settings } from "./store";

export function openSettings(current: Settings, save: (settings: Settings) => void): void {
  const draft: Settings = { ...current, keys: { ...current.keys } };
  const m = messages();
  const dialog = h("dialog", { class: "dialog settings", "aria-labelledby": "settings-title" });
  const form = h("form", { method: "dialog", novalidate: true });

  const model = field(m.modelId, draft.modelId, (value) => {
    draft.modelId = value;
    drawPrice();
  });
  const url = field(
    m.baseUrl,
    draft.baseUrl,
    (value) => {
      draft.baseUrl = value;
      // A URL other than the preset's is a custom endpoint, which must not receive the preset's key.
      const preset = presetOf(draft.preset);
      if (preset.id !== "custom" && preset.id !== "ollama" && value.trim() !== preset.baseUrl) {
        setPreset("custom");
      }
      draft.fromLink = draft.fromLink && value === current.baseUrl;
      drawHint();
    },
    "url",
  );
  const key = keyField(m, () => m.apiKey, draft.preset);
  const temperature = field(m.temperature, draft.temperature, (value) => (draft.temperature = value));
  set(temperature.input, { inputmode: "decimal", placeholder: m.modelDefault });
  const format = choice(
    m.format,
    Object.entries(formats).map(([api, { name }]) => [api, name]),
    draft.api,
    (api) => {
      if (!isApi(api)) return;
      draft.api = api;
      if (presetOf(draft.preset).apis.includes(api)) return drawHint();
      // The current provider does not support the format: select one that does.
      selectPreset(presets.find((preset) => preset.apis[0] === api) ?? presetOf("custom"));
    },
  );
  const thinking = choice(
    m.thinkingLevel,
    thinkingLevels.map((level) => [level, m.thinkingLevels[level]]),
    draft.thinkingLevel,
    (level) => {
      draft.thinkingLevel = level as Settings["thinkingLevel"];
    },
  );
  const priceIn = field(m.priceIn, draft.priceIn, (value) => (draft.priceIn = value));
  const priceOut = field(m.priceOut, draft.priceOut, (value) => (draft.priceOut = value));
  for (const { input } of [priceIn, priceOut]) set(input, { inputmode: "decimal" });
  const priceSource = h("p", { class: "field-hint" });
  const more = h(
    "details",
    { class: "more", open: !!(draft.temperature || draft.thinkingLevel || draft.priceIn || draft.priceOut) },
    h("summary", {}, m.more),
    h("div", { class: "fields two even" }, thinking.element, temperature.element),
    h("div", { class: "fields two even" }, priceIn.element, priceOut.element),
    priceSource,
  );
  const hint = h("p", { class: "field-hint" });
  const keyLink = h("a", { class: "key-link", target: "_blank", rel: "noopener noreferrer" });
  const models = h("datalist", { id: "models" });
  set(model.input, { list: models.id });
  const test = h("button", { type: "button", class: "button plain small" }, m.connection.test);
  const outcome = h("p", { class: "field-hint", role: "status" });
  test.addEventListener("click", async () => {
    if (!isHttp(draft.baseUrl)) return url.setProblem(m.invalidUrl);
    url.setProblem(null);
    test.disabled = true;
    outcome.textContent = m.connection.testing;
    const { api, baseUrl, modelId } = draft;
    const result = await testConnection({ api, baseUrl, apiKey: draft.keys[draft.preset] ?? "" });
    test.disabled = false;
    outcome.textContent = describeConnection(result, modelId.trim(), m);
    if ("models" in result) models.replaceChildren(...result.models.map((id) => h("option", { value: id })));
  });

  const endpoints = radios(
    "preset",
    m.provider,
    presets.map((preset) => [preset.id, preset.name ?? m.custom]),
    draft.preset,
    (id) => selectPreset(presetOf(id)),
  );

  function selectPreset(preset: Preset) {
    draft.baseUrl = preset.baseUrl;
    draft.modelId = preset.modelId;
    draft.fromLink = false;
    if (!preset.apis.includes(draft.api)) draft.api = preset.apis[0]!;
    url.input.value = preset.baseUrl;
    model.input.value = preset.modelId;
    setPreset(preset.id);
  }

  function setPreset(id: Settings["preset"]) {
    draft.preset = id;
    const radio = form.querySelector<HTMLInputElement>(`input[name="preset"][value="${id}"]`);
    if (radio) radio.checked = true;
    key.setOwner(id, presetOf(id).needsKey ? m.apiKey : m.keyOptional);
    drawHint();
  }

  function drawHint() {
    // An outcome is about the endpoint that was tested.
    outcome.textContent = "";
    const preset = presetOf(draft.preset);
    format.input.value = draft.api;
    set(url.input, { placeholder: formats[draft.api].baseUrl });
    hint.textContent = draft.fromLink
      ? m.linkHint
      : preset.id === "ollama"
        ? m.ollamaHint(location.origin)
        : preset.needsKey && !draft.keys[preset.id]?.trim()
          ? m.demoHint
          : "";
    hint.hidden = !hint.textContent;
    const { keyUrl, name } = preset;
    keyLink.hidden = !keyUrl;
    set(keyLink, { href: keyUrl });
    keyLink.textContent = name ? m.getKey(name) : "";
    drawPrice();
  }

  /** Shows the list price as what holds without one of the user's own. */
  function drawPrice() {
    const known = knownPrice(draft);
    set(priceIn.input, { placeholder: known ? known.input : m.priceHint });
    set(priceOut.input, { placeholder: known ? known.output : m.priceHint });
    priceSource.textContent = known ? m.estimatedPrice(PRICE_DATE) : "";
    priceSource.hidden = !known;
  }

  const tavilyUrl = field(m.baseUrl, draft.tavilyUrl, (value) => (draft.tavilyUrl = value), "url");
  const tavilyKey = keyField(m, () => m.apiKey, "tavily");
  const tavily = h(
    "div",
    { class: "fields" },
    tavilyKey.element,
    link("Tavily", serviceKeyUrls.tavily),
    tavilyUrl.element,
  );
  const web = radios(
    "web",
    m.webPart,
    [
      ["wikipedia", m.keyless("Wikipedia")],
      ["tavily", "Tavily"],
    ],
    draft.web,
    (value) => {
      draft.web = value;
      tavily.hidden = value !== "tavily";
    },
    true,
  );
  tavily.hidden = draft.web !== "tavily";

  const unsplashUrl = field(m.baseUrl, draft.unsplashUrl, (value) => (draft.unsplashUrl = value), "url");
  const unsplashKey = keyField(m, () => m.apiKey, "unsplash");
  const unsplash = h(
    "div",
    { class: "fields" },
    unsplashKey.element,
    link("Unsplash", serviceKeyUrls.unsplash),
    unsplashUrl.element,
  );
  const images = radios(
    "images",
    m.imagesPart,
    [
      ["openverse", m.keyless("Openverse")],
      ["unsplash", "Unsplash"],
    ],
    draft.images,
    (value) => {
      draft.images = value;
      unsplash.hidden = value !== "unsplash";
    },
    true,
  );
  unsplash.hidden = draft.images !== "unsplash";

  const remember = h("input", { type: "checkbox", name: "remember", checked: draft.rememberKeys });
  remember.addEventListener("change", () => (draft.rememberKeys = remember.checked));

  const cancel = h("button", { type: "button", class: "button plain" }, m.cancel);
  const close = h("button", { type: "button", class: "tool", "aria-label": m.close, title: m.close }, icon("close"));
  for (const button of [cancel, close]) button.addEventListener("click", () => dialog.close());
  form.append(
    h("header", { class: "dialog-head" }, h("h2", { id: "settings-title" }, m.settingsTitle), close),
    h(
      "div",
      { class: "dialog-body" },
      h(
        "section",
        {},
        h("h3", {}, m.modelPart),
        endpoints,
        hint,
        h("div", { class: "fields two" }, model.element, format.element),
        h("div", { class: "fields" }, key.element, keyLink, url.element),
        h("div", { class: "connection" }, test, outcome, models),
        more,
      ),
      h("section", {}, h("h3", {}, m.webPart), web, tavily),
      h("section", {}, h("h3", {}, m.imagesPart), images, unsplash),
      h(
        "label",
        { class: "checkbox" },
        remember,
        h("span", {}, h("span", {}, m.rememberKeys), h("small", {}, m.rememberKeysHint)),
      ),
    ),
    h("footer", { class: "dialog-foot" }, cancel, h("button", { type: "submit", class: "button" }, m.save)),
  );
  setPreset(draft.preset);

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const checks: [Field, string | null][] = [
      [model, draft.modelId.trim() ? null : m.required],
      [url, isHttp(draft.baseUrl) ? null : m.invalidUrl],
      [priceIn, isPrice(draft.priceIn) ? null : m.invalidPrice],
      [priceOut, isPrice(draft.priceOut) ? null : m.invalidPrice],
      [temperature, !draft.temperature.trim() || inRange(draft.temperature) ? null : m.invalidTemperature],
      [tavilyUrl, draft.web !== "tavily" || isHttp(draft.tavilyUrl) ? null : m.invalidUrl],
      [unsplashUrl, draft.images !== "unsplash" || isHttp(draft.unsplashUrl) ? null : m.invalidUrl],
    ];
    for (const [checked, problem] of checks) checked.setProblem(problem);
    const invalid = checks.find(([, problem]) => problem)?.[0];
    if (invalid) {
      if (more.contains(invalid.input)) more.open = true;
      return invalid.input.focus();
    }
    draft.tavilyUrl ||= services.tavily;
    draft.unsplashUrl ||= services.unsplash;
    dialog.close();
    save(draft);
  });

  function link(name: string, href: string) {
    return h("a", { class: "key-link", target: "_blank", rel: "noopener noreferrer", href }, m.getKey(name));
  }

  function keyField(labels: Messages, label: () => string, first: KeyOwner) {
    let owner = first;
    const made = field(
      label(),
      draft.keys[first] ?? "",
      (value) => {
        if (value) draft.keys[owner] = value;
        else delete draft.keys[owner];
        drawHint();
      },
      "password",
    );
    set(made.input, { autocomplete: "off", "data-1p-ignore": true });
    const reveal = h(
      "button",
      {
        type: "button",
        class: "tool reveal",
        "aria-pressed": "false",
        "aria-label": labels.showKey,
        title: labels.showKey,
      },
      icon("eye"),
    );
    reveal.addEventListener("click", () => {
      const shown = made.input.type === "text";
      made.input.type = shown ? "password" : "text";
      reveal.setAttribute("aria-pressed", String(!shown));
    });
    made.input.after(reveal);
    return {
      ...made,
      setOwner(next: KeyOwner, text: string) {
        owner = next;
        made.input.value = draft.keys[next] ?? "";
        made.label.textContent = text;
      },
    };
  }

  showDialog(dialog, form);
}

interface Field {
  element: HTMLElement;
  input: HTMLInputElement;
  label: HTMLElement;
  setProblem: (text: string | null) => void;
}

let serial = 0;

function field(name: string, value: string, onChange: (value: string) => void, type = "text"): Field {
  const id = `field-${++serial}`;
  const input = h("input", { id, type, value, autocomplete: "off", spellcheck: "false", autocapitalize: "off" });
  const label = h("label", { for: id }, name);
  const wrong = h("p", { class: "field-problem", id: `${id}-problem`, hidden: true });
  input.addEventListener("input", () => onChange(input.value));
  return {
    element: h("div", { class: "field" }, label, h("div", { class: "field-box" }, input), wrong),
    input,
    label,
    setProblem(text) {
      wrong.hidden = !text;
      wrong.textContent = text ?? "";
      set(input, { "aria-invalid": text ? "true" : undefined, "aria-describedby": text ? wrong.id : undefined });
    },
  };
}

function choice(
  name: string,
  options: [string, string][],
  chosen: string,
  onChange: (value: string) => void,
): { element: HTMLElement; input: HTMLSelectElement } {
  const id = `field-${++serial}`;
  const input = h(
    "select",
    { id },
    ...options.map(([value, text]) => h("option", { value, selected: value === chosen }, text)),
  );
  input.addEventListener("change", () => onChange(input.value));
  return { element: h("div", { class: "field" }, h("label", { for: id }, name), input), input };
}

function radios<T extends string>(
  name: string,
  label: string,
  options: [T, string][],
  chosen: T,
  onChange: (value: T) => void,
  labelHidden = false,
): HTMLElement {
  const legend = h("legend", { class: labelHidden ? "visually-hidden" : "" }, label);
  return h(
    "fieldset",
    { class: "radios" },
    legend,
    ...options.map(([value, text]) => {
      const input = h("input", { type: "radio", name, value, checked: value === chosen });
      input.addEventListener("change", () => onChange(value));
      return h("label", {}, input, h("span", {}, text));
    }),
  );
}

function isHttp(url: string): boolean {
  return URL.canParse(url.trim()) && /^https?:$/.test(new URL(url.trim()).protocol);
}

function isPrice(text: string): boolean {
  return !text.trim() || (Number.isFinite(Number(text)) && Number(text) >= 0);
}

function inRange(text: string): boolean {
  const value = Number(text);
  return Number.isFinite(value) && value >= 0 && value <= 2;
}
