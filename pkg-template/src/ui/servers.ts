/** `<copydesk-servers>`. */

import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import { repeat } from "lit/directives/repeat.js";
import type { McpApproval, McpHttpServer, McpPlugin, McpServerState, McpToolInfo } from "../types/mcp.js";
import { AddForm } from "./add-form.js";
import { ConfiguredElement, freeName } from "./configured-element.js";
import { define } from "./element.js";
import type { Servers } from "./events.js";
import { cardStyle, fieldStyle, panelStyle } from "./panel-styles.js";
import type { Sentence } from "./sentence.js";
import { DEFAULT_HEADER, headerOf, invalidServer, LONGEST_NAME, nameIn, withKey, withoutKey } from "./server-fields.js";
import { serversStyle } from "./servers-style.js";
import { base, popup } from "./styles.js";

const APPROVALS: readonly McpApproval[] = ["annotations", "always", "never"];

/**
 * MCP servers with their state and their tools. Servers can be added, changed, turned off, connected again and removed; a key
 * is shown to nobody.
 *
 * @tagname copydesk-servers
 * @fires {CustomEvent<ChangeDetail<Servers>>} servers-change - The user has changed the servers; after `preventDefault()` the plugin does not get them.
 * @fires {CustomEvent<{ name: string }>} server-reconnect - The user wants a server to be connected again; after `preventDefault()` the plugin does not do it.
 * @slot missing - Shown while `servers` is missing.
 * @csspart hint - What servers are.
 * @csspart list - The list of servers.
 * @csspart card - A server.
 * @csspart enabled - The box that turns a server on and off.
 * @csspart name - The name of a server.
 * @csspart state - The state of a server.
 * @csspart menu - The button that opens the actions of a server.
 * @csspart origin - The URL of a server, and its version of the protocol.
 * @csspart tools - The tools of a server, which unfold.
 * @csspart approval - The choice of the calls that need approval.
 * @csspart problem - Why something has failed.
 * @csspart add - The button that opens the form.
 * @csspart form - The form that adds or changes a server.
 * @csspart field - A field of the form with its label.
 * @csspart input - The input of a field.
 * @csspart save - The button that adds or changes the server.
 * @csspart cancel - The button that closes the form.
 * @csspart empty - Shown while `servers` is missing.
 */
export class CopydeskServers extends ConfiguredElement<"servers-change"> {
  static override properties: PropertyDeclarations = {
    servers: { attribute: false },
    states: { attribute: false },
    plugin: { attribute: false },
    keepsKeys: { type: Boolean, attribute: "keeps-keys" },
    edited: { state: true },
  };
  static override styles = [base, popup, fieldStyle, panelStyle, cardStyle, serversStyle];

  /** The servers that are configured, by name. */
  declare servers: Servers | undefined;
  /** The states of the servers. Default: those of `plugin`. */
  declare states: readonly McpServerState[] | undefined;
  /** The plugin that connects the servers; it gets what the user changes. */
  declare plugin: McpPlugin | undefined;
  /** True if the page keeps keys when it is closed. */
  declare keepsKeys: boolean;
  /** The server that the form changes; null for a new one. */
  declare private edited: string | null;
  #form = new AddForm(this, (fields) => this.#submit(fields));

  constructor() {
    super("servers-change");
    this.keepsKeys = false;
    this.edited = null;
  }

  protected override get given(): Servers | undefined {
    return this.servers;
  }

  protected override get applying(): McpPlugin | undefined {
    return this.plugin;
  }

  protected override get property(): string {
    return "servers";
  }

  protected override missing(): string | null {
    return this.servers ? null : "needs the property `servers`, MCP servers by their names (an empty object for none).";
  }

  protected override configure(servers: Servers): void {
    this.plugin?.configure({ mcpServers: { ...servers } });
  }

  protected override render(): TemplateResult {
    const { m, shown } = this;
    if (!shown) return this.empty();
    return html`<fieldset ?disabled=${this.disabled} lang=${m.lang}>
      <p class="hint" part="hint">${m.servers.hint}</p>
      <ul class="cards" part="list">
        ${repeat(
          Object.entries(shown),
          ([name]) => name,
          ([name, server]) => this.#card(name, server),
        )}
      </ul>
      ${this.refused()} ${this.#addForm()}
    </fieldset>`;
  }

  #addForm(): TemplateResult {
    const { m, edited } = this;
    const server = edited === null ? undefined : this.#serverOf(edited);
    const field = this.#form.field.bind(this.#form);
    const header = headerOf(server);
    return this.#form.template(
      m,
      { opener: m.servers.add, ok: edited === null ? m.add : m.save, begin: () => (this.edited = null) },
      field(
        { name: "url", label: m.servers.url, type: "url", value: server?.url, placeholder: m.servers.urlHint },
        true,
      ),
      edited === null ? field({ name: "name", label: m.servers.name, maxlength: LONGEST_NAME }) : nothing,
      field({ name: "key", label: m.servers.key, type: "password", placeholder: header ? m.servers.keyIsSet : "" }),
      html`<p class="hint">${this.keepsKeys ? m.servers.keysKept : m.servers.keysForgotten}</p>`,
      html`<details>
        <summary>${m.more}</summary>
        ${field({ name: "header", label: m.servers.header, value: header, placeholder: DEFAULT_HEADER })}
      </details>`,
    );
  }

  #card(name: string, server: McpHttpServer): TemplateResult {
    const m = this.m.servers;
    const enabled = server.enabled !== false;
    const state = (this.states ?? this.plugin?.servers ?? []).find((each) => each.name === name);
    const kind = !enabled ? "disabled" : (state?.state ?? "connecting");
    const removeKey = { name: m.removeKey, run: () => this.#replace(name, withoutKey(server)) };
    return this.card(
      {
        id: name,
        name,
        enabled,
        setEnabled: (on) => this.#replace(name, { ...server, enabled: on }),
        state: m.states[kind],
        kind,
        actions: [
          { name: m.reconnect, run: () => this.#reconnect(name) },
          { name: m.edit, run: () => this.#edit(name) },
          ...(headerOf(server) ? [removeKey] : []),
          { name: this.m.remove, run: () => this.#replace(name) },
        ],
      },
      this.#origin(server.url, enabled ? state?.protocolVersion : undefined),
      enabled && state?.error && html`<p class="problem" part="problem">${state.error.message}</p>`,
      enabled && this.#tools(state?.tools ?? []),
      this.#approval(name, server),
    );
  }

  #origin(url: string, version: string | undefined): TemplateResult {
    const protocol = version && this.m.servers.protocol(version);
    return html`<p class="card-origin" part="origin">
      ${url}${protocol ? html` · <span class="version-name">${protocol}</span>` : nothing}
    </p>`;
  }

  #tools(tools: readonly McpToolInfo[]): TemplateResult | typeof nothing {
    const m = this.m.servers;
    if (!tools.length) return nothing;
    const marksOf = ({ name, needsApproval }: McpToolInfo) =>
      [needsApproval && m.asksFirst, name === undefined && m.notUsed].filter(Boolean).join(" · ");
    const rows = tools.map((tool) => {
      const marks = marksOf(tool);
      return html`<li>
        <strong>${tool.title || tool.tool}</strong>${marks ? html`<span class="mark">${marks}</span>` : nothing}
        ${tool.description ? html`<span class="about">${tool.description}</span>` : nothing}
      </li>`;
    });
    // The list scrolls: keys must reach it.
    return html`<details part="tools">
      <summary>${m.tools(tools.length)}</summary>
      <ul class="tools" tabindex="0" aria-label=${m.tools(tools.length)}>
        ${rows}
      </ul>
    </details>`;
  }

  #approval(name: string, server: McpHttpServer): TemplateResult {
    const m = this.m.servers;
    const current = server.approval ?? "annotations";
    const choose = (event: Event) =>
      this.#replace(name, { ...server, approval: (event.target as HTMLSelectElement).value as McpApproval });
    return html`<label class="choice"
      ><span>${m.approval}</span
      ><select part="approval" .value=${live(current)} @change=${choose}>
        ${APPROVALS.map(
          (value) => html`<option value=${value} ?selected=${value === current}>${m.approvals[value]}</option>`,
        )}
      </select></label
    >`;
  }

  #reconnect(name: string): void {
    if (!this.emit("server-reconnect", { name }, true)) return;
    // The plugin tells the failure in the state of the server.
    void this.plugin?.reconnect(name).catch((error: unknown) => console.warn(error));
  }

  /** Replaces a server, or removes it. */
  #replace(name: string, other?: McpHttpServer): void {
    const servers = Object.entries(this.shown ?? {}).flatMap(([each, server]) =>
      each !== name ? [[each, server] as const] : other ? [[each, other] as const] : [],
    );
    void this.apply(Object.fromEntries(servers));
    if (!other) void this.#form.focusOpener();
  }

  #serverOf(name: string): McpHttpServer | undefined {
    return this.shown && Object.hasOwn(this.shown, name) ? this.shown[name] : undefined;
  }

  #edit(name: string): void {
    this.edited = name;
    void this.#form.open(() =>
      this.renderRoot.querySelector<HTMLElement>(`[data-menu="${CSS.escape(name)}"] > button`),
    );
  }

  async #submit(fields: ReadonlyMap<string, string>): Promise<Sentence | null> {
    const taken = Object.keys(this.shown ?? {});
    const problem = invalidServer(fields, this.edited === null ? taken : []);
    if (problem) return problem;
    const url = fields.get("url") ?? "";
    const name = this.edited ?? (fields.get("name") || freeName(nameIn(url), taken));
    const server = withKey(this.#serverOf(name), url, fields.get("header") || DEFAULT_HEADER, fields.get("key") ?? "");
    return this.change({ ...this.shown, [name]: server });
  }
}

define("copydesk-servers", CopydeskServers);

declare global {
  interface HTMLElementTagNameMap {
    "copydesk-servers": CopydeskServers;
  }
}
