/** `<copydesk-servers>`: MCP servers with their tools. It emits `reconnect` with the name of a server. */
import type { McpServerState } from "copydesk/mcp";
import type { AssistantWords } from "./assistant-words";
import { h } from "./h";
import { SettingsList, field } from "./settings-list";

/** A server as the user has set it. */
export interface ServerItem {
  name: string;
  url: string;
  /** Sent as `Authorization: Bearer`. */
  key?: string;
  enabled: boolean;
}

export class ServersPanel extends SettingsList<ServerItem> {
  private known: readonly McpServerState[] = [];
  private name = field("text");
  private url = field("url");
  private key = field("password");
  private add = h("button", { type: "submit", class: "copydesk-button main" });

  /** The states of the servers. */
  set states(states: readonly McpServerState[]) {
    this.known = states;
    if (this.isShown) this.drawRows(this.words);
  }

  protected about = (words: AssistantWords): string => words.serversHint;
  protected none = (words: AssistantWords): string => words.noServers;

  protected form(): HTMLElement {
    const fields = [this.name, this.url, this.key];
    const form = h(
      "form",
      { class: "copydesk-settings-form", novalidate: true },
      ...fields.map(({ label }) => label),
      this.add,
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const [name, url, key] = fields.map(({ input }) => input.value.trim()) as [string, string, string];
      const problem = this.problemOf(name, url);
      this.problem.textContent = problem ?? "";
      if (problem !== undefined) return;
      for (const { input } of fields) input.value = "";
      this.change([...this.items, { name, url, enabled: true, ...(key ? { key } : {}) }]);
    });
    return form;
  }

  private problemOf(name: string, url: string): string | undefined {
    if (!/^[A-Za-z0-9][A-Za-z0-9-]*$/.test(name)) return this.words.badName;
    if (this.items.some((item) => item.name === name)) return this.words.known;
    const isWeb = URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
    return isWeb ? undefined : this.words.badUrl;
  }

  protected drawForm(words: AssistantWords): void {
    this.name.name.textContent = words.serverName;
    this.url.name.textContent = words.serverUrl;
    this.url.input.placeholder = words.serverUrlHint;
    this.key.name.textContent = words.serverKey;
    this.add.textContent = words.addServer;
  }

  protected row(item: ServerItem, at: number, words: AssistantWords): HTMLLIElement {
    const state = this.known.find(({ name }) => name === item.name);
    const { tools = [], error } = state ?? {};
    const toggle = (enabled: boolean) => this.change(this.with(at, { ...item, enabled }));
    const status = words.serverStates[item.enabled ? (state?.state ?? "connecting") : "disabled"];
    return h(
      "li",
      { class: "copydesk-setting", "data-off": !item.enabled, "data-state": state?.state ?? "connecting" },
      this.toggle(item.name, item.enabled, `on-${item.name}`, toggle),
      h(
        "div",
        { class: "copydesk-setting-body" },
        h("strong", { class: "copydesk-setting-name" }, item.name),
        h("span", { class: "copydesk-setting-url" }, item.url),
        h("span", { class: "copydesk-setting-state", role: "status" }, status),
        item.enabled && error && h("p", { class: "copydesk-problem" }, error.message),
        item.enabled &&
          tools.length > 0 &&
          h(
            "details",
            {},
            h("summary", {}, words.tools(tools.length)),
            h(
              "ul",
              {},
              ...tools.map(({ title, tool, description, needsApproval }) =>
                h(
                  "li",
                  { title: description },
                  title ?? tool,
                  needsApproval && h("span", { class: "copydesk-hint" }, ` · ${words.asksFirst}`),
                ),
              ),
            ),
          ),
        h(
          "div",
          { class: "copydesk-setting-actions" },
          item.enabled &&
            this.button(words.reconnect, words.reconnect, `again-${item.name}`, () =>
              this.emit("reconnect", item.name),
            ),
          this.button(words.removeShort, words.remove(item.name), `remove-${item.name}`, () =>
            this.change(this.with(at)),
          ),
        ),
      ),
    );
  }
}
