/** `<copydesk-servers>`: MCP servers, their state and their tools. */
import type { McpApproval, McpHttpServer, McpServerState, McpToolInfo } from "copydesk/mcp";
import { AddForm, card, ConfiguredPanel, field, freeName, unfolding, type Sentence } from "./assistant-panel";
import type { AssistantWords } from "./assistant-words";
import { h } from "./h";

/** Servers by their names. */
export type Servers = Readonly<Record<string, McpHttpServer>>;

const APPROVALS: readonly McpApproval[] = ["annotations", "always", "never"];
const DEFAULT_HEADER = "Authorization";
const LONGEST_NAME = 64;

/**
 * Shows the property `servers` with their `states`. `keepsKeys` states whether keys are kept when the page is closed.
 * It emits `servers-change` with a `ChangeDetail` of the new servers, and `server-reconnect` with the `name` of one.
 */
export class ServersPanel extends ConfiguredPanel<Servers, McpServerState> {
  private kept = false;
  /** The server that the form changes. */
  private edited: string | null = null;
  private hint = h("p", { class: "copydesk-hint" });
  private list = h("ul", { class: "copydesk-cards" });
  private url = field("url");
  private name = field();
  private key = field("password");
  private header = field();
  private keyHint = h("p", { class: "copydesk-hint" });
  private more = h("summary");
  private form = new AddForm(
    this.url.input,
    [
      this.url.element,
      this.name.element,
      this.key.element,
      this.keyHint,
      h("details", { class: "copydesk-unfold" }, this.more, this.header.element),
    ],
    () => this.submit(),
  );

  constructor() {
    super("servers-change", {});
  }

  get servers(): Servers {
    return this.configured;
  }

  set servers(servers: Servers) {
    this.configure(servers);
  }

  set keepsKeys(kept: boolean) {
    if (kept === this.kept) return;
    this.kept = kept;
    this.update();
  }

  protected build(): void {
    this.form.opener.addEventListener("click", () => this.edit(null));
    this.name.input.maxLength = LONGEST_NAME;
    this.append(this.hint, this.list, this.refusal, this.form.element);
  }

  protected draw(words: AssistantWords): void {
    this.hint.textContent = words.serversHint;
    this.url.draw(words.serverUrl, words.serverUrlHint);
    this.name.draw(words.serverName);
    const hasKey = this.edited !== null && !!headerOf(this.serverOf(this.edited));
    this.key.draw(words.serverKey, hasKey ? words.keyIsSet : undefined);
    this.header.draw(words.serverHeader, DEFAULT_HEADER);
    this.keyHint.textContent = this.kept ? words.keysKept : words.keysForgotten;
    this.more.textContent = words.more;
    this.form.draw(words, words.addServer, this.edited === null ? words.add : words.save);
    this.drawRefusal(words);
    this.redraw(this.list, ...Object.entries(this.configured).map(([name, server]) => this.card(name, server, words)));
  }

  private card(name: string, server: McpHttpServer, words: AssistantWords): HTMLElement {
    const enabled = server.enabled !== false;
    const state = this.found.find((each) => each.name === name);
    const kind = !enabled ? "disabled" : (state?.state ?? "connecting");
    const tools = enabled ? (state?.tools ?? []) : [];
    const version = enabled && state?.protocolVersion;
    return card(words, {
      id: name,
      name,
      enabled,
      setEnabled: (on) => this.replace(name, { ...server, enabled: on }),
      state: words.serverStates[kind],
      kind,
      actions: [
        { name: (w) => w.reconnect, run: () => this.emit("server-reconnect", { name }) },
        { name: (w) => w.edit, run: () => this.edit(name) },
        ...(headerOf(server)
          ? [{ name: (w: AssistantWords) => w.removeKey, run: () => this.replace(name, { ...server, headers: {} }) }]
          : []),
        { name: (w) => w.remove, run: () => this.replace(name) },
      ],
      parts: [
        h(
          "p",
          { class: "copydesk-card-place" },
          server.url,
          version && " · ",
          version && h("span", { class: "copydesk-version-name" }, words.protocol(version)),
        ),
        enabled && state?.error && h("p", { class: "copydesk-problem" }, state.error.message),
        tools.length > 0 && unfolding(`${name} tools`, words.tools(tools.length), toolList(tools, words)),
        this.approval(name, server, words),
      ],
    });
  }

  private approval(name: string, server: McpHttpServer, words: AssistantWords): HTMLElement {
    const current = server.approval ?? "annotations";
    const option = (value: McpApproval) => h("option", { value, selected: value === current }, words.approvals[value]);
    const select = h("select", { "data-focus": `${name} approval` }, ...APPROVALS.map(option));
    select.addEventListener("change", () => this.replace(name, { ...server, approval: select.value as McpApproval }));
    return h("label", { class: "copydesk-choice" }, h("span", {}, words.approval), select);
  }

  /** Replaces a server, or removes it. */
  private replace(name: string, other?: McpHttpServer): void {
    const entries = Object.entries(this.configured);
    void this.apply(
      Object.fromEntries(
        entries.flatMap(([each, server]) => (each === name ? (other ? [[each, other]] : []) : [[each, server]])),
      ),
    );
    if (!other) this.form.opener.focus();
  }

  private serverOf(name: string): McpHttpServer | undefined {
    return Object.hasOwn(this.configured, name) ? this.configured[name] : undefined;
  }

  /** Opens the form for a server, or for a new one. */
  private edit(name: string | null): void {
    this.edited = name;
    const server = name === null ? undefined : this.serverOf(name);
    this.url.input.value = server?.url ?? "";
    this.name.input.value = name ?? "";
    this.name.element.hidden = name !== null;
    this.key.input.value = "";
    this.header.input.value = headerOf(server) ?? "";
    this.draw(this.words);
    const menu = () => this.list.querySelector<HTMLElement>(`[data-focus="${CSS.escape(`${name} menu`)}"] > button`);
    this.form.open(name === null ? undefined : menu);
  }

  private async submit(): Promise<Sentence | null> {
    const [url, key] = [this.url.input.value.trim(), this.key.input.value.trim()];
    if (!isHttp(url)) return (words) => words.invalidUrl;
    if (new URL(url).username || new URL(url).password) return (words) => words.urlWithPassword;
    const header = this.header.input.value.trim() || DEFAULT_HEADER;
    if (!/^[A-Za-z0-9-]+$/.test(header)) return (words) => words.invalidHeader;
    if (!/^[\x20-\x7e]*$/.test(key)) return (words) => words.invalidKey;
    const taken = Object.keys(this.configured);
    const wanted = this.name.input.value.trim();
    if (wanted && !/^[\w-]+$/.test(wanted)) return (words) => words.invalidName;
    if (this.edited === null && taken.includes(wanted)) return (words) => words.taken(wanted);
    const name = this.edited ?? (wanted || freeName(nameIn(url).slice(0, LONGEST_NAME), taken));
    const before = this.serverOf(name);
    // A key belongs to its server: another URL does not get it.
    const stays = isHttp(before?.url) && new URL(before.url).origin === new URL(url).origin ? keyOf(before) : "";
    const value = key || stays;
    const server = { ...before, url, headers: value ? { [header]: valueOf(header, value) } : {} };
    const problem = await this.change({ ...this.configured, [name]: server });
    if (problem === null) this.edited = null;
    return problem;
  }
}

function headerOf(server: McpHttpServer | undefined): string | undefined {
  return Object.keys(server?.headers ?? {})[0];
}

/** Returns the key of a server, without the scheme of bearer tokens. */
function keyOf(server: McpHttpServer): string {
  return (Object.values(server.headers ?? {})[0] ?? "").replace(/^Bearer /, "");
}

function isHttp(url: string | undefined): url is string {
  return url !== undefined && URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}

/** Returns the value of a header: keys without a scheme are bearer tokens. */
function valueOf(header: string, key: string): string {
  return header.toLowerCase() === "authorization" && !key.includes(" ") ? `Bearer ${key}` : key;
}

/** Returns the name of a server that a URL suggests. */
function nameIn(url: string): string {
  const { hostname } = new URL(url);
  const isAddress = /^[\d.]+$|^\[|^localhost$/.test(hostname);
  const named = isAddress ? "local" : (hostname.replace(/^(?:www|mcp|api)\./, "").split(".")[0] ?? "");
  return named.replace(/[^\w-]/g, "") || "server";
}

function toolList(tools: readonly McpToolInfo[], words: AssistantWords): HTMLElement {
  const row = ({ name, tool, title, description, needsApproval }: McpToolInfo) => {
    const marks = [needsApproval && words.asksFirst, name === undefined && words.notUsed].filter(Boolean).join(" · ");
    return h(
      "li",
      {},
      h("strong", {}, title || tool),
      !!marks && h("span", { class: "copydesk-mark" }, marks),
      !!description && h("span", { class: "copydesk-about" }, description),
    );
  };
  // It scrolls: keys must reach it.
  return h("ul", { class: "copydesk-tools", tabindex: 0 }, ...tools.map(row));
}
