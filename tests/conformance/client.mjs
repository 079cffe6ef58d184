// The client that the conformance suite runs: an agent's plugin, used as an agent uses it. Its last argument is the URL
// of the suite's server; MCP_CONFORMANCE_SCENARIO names the scenario, MCP_CONFORMANCE_CONTEXT has its values.
import { mcp } from "copydesk/mcp";

const url = process.argv.at(-1);
const scenario = process.env.MCP_CONFORMANCE_SCENARIO;
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? "{}");

const host = {
  locale: "en",
  workspace: undefined,
  logger: undefined,
  tools: [],
  provide: ({ tools = [] }) => (host.tools = tools),
  notice: (code, message) => console.error(code, message),
};

// The user accepts every form as it is: values that are left out are the defaults.
const plugin = mcp({ mcpServers: { server: { url } } }, { elicit: () => ({ action: "accept", content: answers[scenario] ?? {} }) });
const answers = { "sep-2322-client-request-state": { confirmed: true } };
const connection = plugin.connect(host);
const { signal } = new AbortController();
await connection.ready(signal);

const [{ tools: listed, state, error }] = plugin.servers;
if (state !== "ready") throw new Error(error?.message ?? state);

/** The arguments of a tool that the scenario does not give: numbers for numbers, the rest left out. */
function argumentsOf({ inputSchema: { properties = {}, required = [] } }) {
  const values = { number: 1, integer: 1, string: "text", boolean: true, array: [], object: {} };
  return Object.fromEntries(required.map((name) => [name, values[properties[name]?.type] ?? "text"]));
}

/** The calls of the scenario, as names and arguments: by default each tool once. */
function calls() {
  if (context.toolCalls) return context.toolCalls.map(({ name, arguments: args }) => [name, args]);
  if (scenario === "json-schema-2020-12-preservation") {
    const echo = listed.find(({ inputSchema }) => inputSchema.properties?.schema);
    const focal = listed.find((tool) => tool !== echo);
    return [[echo.tool, { schema: focal.inputSchema }]];
  }
  return listed.map((tool) => [tool.tool, argumentsOf(tool)]);
}

for (const [name, args] of calls()) {
  const tool = host.tools.find((one) => one.name === listed.find(({ tool }) => tool === name)?.name);
  if (!tool) throw new Error(`the server did not list ${name}`);
  try {
    await tool.execute("call", args, signal, () => {});
  } catch (error) {
    console.error(name, error.message);
  }
}
connection.close();
