/** The settings dialog: where the model is asked, where is searched, and the keys for both. */
import { h, set } from "../dom";
import { icon } from "../icons";
import { words, type Words } from "../words";
import { formats, isApi, presetOf, presets, services, type Preset } from "./presets";
import { thinkingLevels, type KeyOwner, type Settings } from "./store";

export function openSettings(current: Settings, save: (settings: Settings) => void): void {
  const draft: Settings = { ...current, keys: { ...current.keys } };
  const w = words();
  const dialog = h("dialog", { class: "dialog settings", "aria-labelledby": "settings-title" });
  const form = h("form", { method: "dialog", novalidate: true });

  const model = field(w.modelId, draft.modelId, (value) => (draft.modelId = value));
  const address = field(w.baseUrl, draft.baseUrl, (value) => {
    draft.baseUrl = value;
    // Another address than the preset's is the person's own endpoint. The preset's key is not for it.
    const preset = presetOf(draft.preset);
    if (preset.id !== "custom" && preset.id !== "ollama" && value.trim() !== preset.baseUrl) {
      choose("custom");
    }
    draft.fromLink = draft.fromLink && value === current.baseUrl;
    drawHint();
  }, "url");
  const key = keyField(w, () => w.apiKey, draft.preset);
  const temperature = field(w.temperature, draft.temperature, (value) => (draft.temperature = value));
  set(temperature.input, { inputmode: "decimal", placeholder: w.temperatureHint });
  const format = choice(w.format, Object.entries(formats).map(([api, { name }]) => [api, name]), draft.api, (api) => {
    if (!isApi(api)) return;
    draft.api = api;
    if (presetOf(draft.preset).apis.includes(api)) return drawHint();
    // Another provider speaks it.
    pick(presets.find((preset) => preset.apis[0] === api) ?? presetOf("custom"));
  });
  const thinking = choice(w.thinkingLevel, thinkingLevels.map((level) => [level, w.thinkingLevels[level]]), draft.thinkingLevel, (level) => {
    draft.thinkingLevel = level as Settings["thinkingLevel"];
  });
  const priceIn = field(w.priceIn, draft.priceIn, (value) => (draft.priceIn = value));
  const priceOut = field(w.priceOut, draft.priceOut, (value) => (draft.priceOut = value));
  for (const { input } of [priceIn, priceOut]) set(input, { inputmode: "decimal", placeholder: w.priceHint });
  const more = h(
    "details",
    { class: "more", open: !!(draft.temperature || draft.thinkingLevel || draft.priceIn || draft.priceOut) },
    h("summary", {}, w.more),
    h("div", { class: "fields two even" }, thinking.element, temperature.element),
    h("div", { class: "fields two even" }, priceIn.element, priceOut.element),
  );
  const hint = h("p", { class: "field-hint" });

  const endpoints = radios(
    "preset",
    w.endpoint,
    presets.map((preset) => [preset.id, preset.name ?? w.custom]),
    draft.preset,
    (id) => pick(presetOf(id)),
  );

  function pick(preset: Preset) {
    draft.baseUrl = preset.baseUrl;
    draft.modelId = preset.modelId;
    draft.fromLink = false;
    if (!preset.apis.includes(draft.api)) draft.api = preset.apis[0]!;
    address.input.value = preset.baseUrl;
    model.input.value = preset.modelId;
    choose(preset.id);
  }

  function choose(id: Settings["preset"]) {
    draft.preset = id;
    const radio = form.querySelector<HTMLInputElement>(`input[name="preset"][value="${id}"]`);
    if (radio) radio.checked = true;
    key.owner(id, presetOf(id).needsKey ? w.apiKey : w.keyOptional);
    drawHint();
  }

  function drawHint() {
    const preset = presetOf(draft.preset);
    format.input.value = draft.api;
    set(address.input, { placeholder: formats[draft.api].baseUrl });
    hint.textContent = draft.fromLink
      ? w.linkHint
      : preset.id === "ollama"
        ? w.ollamaHint(location.origin)
        : preset.needsKey && !draft.keys[preset.id]?.trim()
          ? w.demoHint
          : "";
    hint.hidden = !hint.textContent;
  }

  const tavilyUrl = field(w.baseUrl, draft.tavilyUrl, (value) => (draft.tavilyUrl = value), "url");
  const tavilyKey = keyField(w, () => w.apiKey, "tavily");
  const tavily = h("div", { class: "fields" }, tavilyKey.element, tavilyUrl.element);
  const web = radios(
    "web",
    w.searchPart,
    [["wikipedia", w.keyless("Wikipedia")], ["tavily", "Tavily"]],
    draft.web,
    (value) => {
      draft.web = value;
      tavily.hidden = value !== "tavily";
    },
    true,
  );
  tavily.hidden = draft.web !== "tavily";

  const unsplashUrl = field(w.baseUrl, draft.unsplashUrl, (value) => (draft.unsplashUrl = value), "url");
  const unsplashKey = keyField(w, () => w.apiKey, "unsplash");
  const unsplash = h("div", { class: "fields" }, unsplashKey.element, unsplashUrl.element);
  const images = radios(
    "images",
    w.picturesPart,
    [["openverse", w.keyless("Openverse")], ["unsplash", "Unsplash"]],
    draft.images,
    (value) => {
      draft.images = value;
      unsplash.hidden = value !== "unsplash";
    },
    true,
  );
  unsplash.hidden = draft.images !== "unsplash";

  const ticked = h("input", { type: "checkbox", name: "remember", checked: draft.rememberKeys });
  ticked.addEventListener("change", () => (draft.rememberKeys = ticked.checked));

  const cancel = h("button", { type: "button", class: "button plain" }, w.cancel);
  const close = h("button", { type: "button", class: "tool", "aria-label": w.close, title: w.close }, icon("close"));
  for (const button of [cancel, close]) button.addEventListener("click", () => dialog.close());
  form.append(
    h("header", { class: "dialog-head" }, h("h2", { id: "settings-title" }, w.settingsTitle), close),
    h(
      "div",
      { class: "dialog-body" },
      h("section", {}, h("h3", {}, w.modelPart), endpoints, hint, h("div", { class: "fields two" }, model.element, format.element), h("div", { class: "fields" }, key.element, address.element), more),
      h("section", {}, h("h3", {}, w.searchPart), web, tavily),
      h("section", {}, h("h3", {}, w.picturesPart), images, unsplash),
      h("label", { class: "tick" }, ticked, h("span", {}, h("span", {}, w.remember), h("small", {}, w.rememberHint))),
    ),
    h("footer", { class: "dialog-foot" }, cancel, h("button", { type: "submit", class: "button" }, w.save)),
  );
  choose(draft.preset);

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const checks: [Field, string | null][] = [
      [model, draft.modelId.trim() ? null : w.needed],
      [address, isHttp(draft.baseUrl) ? null : w.badUrl],
      [priceIn, isPrice(draft.priceIn) ? null : w.badPrice],
      [priceOut, isPrice(draft.priceOut) ? null : w.badPrice],
      [temperature, !draft.temperature.trim() || inRange(draft.temperature) ? null : w.badTemperature],
      [tavilyUrl, draft.web !== "tavily" || isHttp(draft.tavilyUrl) ? null : w.badUrl],
      [unsplashUrl, draft.images !== "unsplash" || isHttp(draft.unsplashUrl) ? null : w.badUrl],
    ];
    for (const [checked, problem] of checks) checked.problem(problem);
    const wrong = checks.find(([, problem]) => problem)?.[0];
    if (wrong) {
      if (more.contains(wrong.input)) more.open = true;
      return wrong.input.focus();
    }
    draft.tavilyUrl ||= services.tavily;
    draft.unsplashUrl ||= services.unsplash;
    dialog.close();
    save(draft);
  });

  function keyField(labels: Words, label: () => string, first: KeyOwner) {
    let whose = first;
    const made = field(label(), draft.keys[first] ?? "", (value) => {
      if (value) draft.keys[whose] = value;
      else delete draft.keys[whose];
      drawHint();
    }, "password");
    set(made.input, { autocomplete: "off", "data-1p-ignore": true });
    const eye = h("button", { type: "button", class: "tool eye", "aria-pressed": "false", "aria-label": labels.showKey, title: labels.showKey }, icon("eye"));
    eye.addEventListener("click", () => {
      const shown = made.input.type === "text";
      made.input.type = shown ? "password" : "text";
      eye.setAttribute("aria-pressed", String(!shown));
    });
    made.input.after(eye);
    return {
      ...made,
      owner(next: KeyOwner, text: string) {
        whose = next;
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
  problem: (text: string | null) => void;
}

let serial = 0;

function field(name: string, value: string, changed: (value: string) => void, type = "text"): Field {
  const id = `field-${++serial}`;
  const input = h("input", { id, type, value, autocomplete: "off", spellcheck: "false", autocapitalize: "off" });
  const label = h("label", { for: id }, name);
  const wrong = h("p", { class: "field-problem", id: `${id}-problem`, hidden: true });
  input.addEventListener("input", () => changed(input.value));
  return {
    element: h("div", { class: "field" }, label, h("div", { class: "field-box" }, input), wrong),
    input,
    label,
    problem(text) {
      wrong.hidden = !text;
      wrong.textContent = text ?? "";
      set(input, { "aria-invalid": text ? "true" : undefined, "aria-describedby": text ? wrong.id : undefined });
    },
  };
}

function choice(name: string, options: [string, string][], chosen: string, changed: (value: string) => void): { element: HTMLElement; input: HTMLSelectElement } {
  const id = `field-${++serial}`;
  const input = h("select", { id }, ...options.map(([value, text]) => h("option", { value, selected: value === chosen }, text)));
  input.addEventListener("change", () => changed(input.value));
  return { element: h("div", { class: "field" }, h("label", { for: id }, name), input), input };
}

function radios<T extends string>(
  name: string,
  label: string,
  options: [T, string][],
  chosen: T,
  changed: (value: T) => void,
  labelHidden = false,
): HTMLElement {
  const legend = h("legend", { class: labelHidden ? "sr" : "" }, label);
  return h(
    "fieldset",
    { class: "radios" },
    legend,
    ...options.map(([value, text]) => {
      const input = h("input", { type: "radio", name, value, checked: value === chosen });
      input.addEventListener("change", () => changed(value));
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

/** Shows a dialog until it is closed, by its buttons, by Escape or by a press beside it. */
export function showDialog(dialog: HTMLDialogElement, content: HTMLElement): void {
  dialog.append(content);
  document.body.append(dialog);
  dialog.addEventListener("close", () => dialog.remove());
  let pressedBeside = false;
  dialog.addEventListener("pointerdown", (event) => (pressedBeside = event.target === dialog));
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog && pressedBeside) dialog.close();
  });
  dialog.showModal();
}

/** The list of shortcuts. */
export function openShortcuts(modKey: string): void {
  const w = words();
  const dialog = h("dialog", { class: "dialog shortcuts", "aria-labelledby": "shortcuts-title" });
  const close = h("button", { type: "button", class: "tool", "aria-label": w.close, title: w.close }, icon("close"));
  close.addEventListener("click", () => dialog.close());
  const rows = w.shortcutList.flatMap(([keys, what]) => [
    h("dt", {}, ...keys.split(" ").map((key) => h("kbd", {}, key === "Mod" ? modKey : key))),
    h("dd", {}, what),
  ]);
  showDialog(
    dialog,
    h("div", {}, h("header", { class: "dialog-head" }, h("h2", { id: "shortcuts-title" }, w.shortcuts), close), h("div", { class: "dialog-body" }, h("dl", {}, ...rows))),
  );
}
