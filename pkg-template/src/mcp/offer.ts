/** Chooses the tools that the model sees. */

import type { Tool } from "@modelcontextprotocol/client";
import type { McpApproval } from "../types/mcp.js";
import { LONGEST_DESCRIPTION, LONGEST_TOOLS, MOST_TOOLS, MOST_TOOLS_IN_ALL, MOST_TOOLS_READ } from "./limits.js";
import { McpFailure, type ReasonName } from "./messages.js";
import { toolName } from "./names.js";
import { parametersOf } from "./schema.js";
import type { McpServer } from "./server.js";
import { cut } from "./text.js";

/** A tool as the model sees it. */
export interface OfferedTool {
  name: string;
  description: string;
  parameters: object;
  needsApproval: boolean;
  server: McpServer;
  tool: Tool;
}

export interface Offer {
  tools: OfferedTool[];
  /** For each server with tools that the model does not see: why. */
  leftOut: Map<McpServer, McpFailure>;
}

/** Returns the tools of these servers, in their order, up to the limits. */
export function offerOf(servers: Iterable<McpServer>): Offer {
  const offer: Offer = { tools: [], leftOut: new Map() };
  const taken = new Set<string>();
  let length = 0;
  for (const server of servers) {
    const { wanted, total, isCut } = server.listed;
    const reasons = new Set<ReasonName>();
    // A server may list a tool twice.
    const tools = [...new Map(wanted.map((tool) => [tool.name, tool])).values()];
    let count = 0;
    for (const [index, tool] of tools.entries()) {
      if (count === MOST_TOOLS || offer.tools.length === MOST_TOOLS_IN_ALL || index === MOST_TOOLS_READ) {
        reasons.add("tooMany");
        break;
      }
      const parameters = parametersOnce(tool);
      if (!parameters || tool.name === "" || tool.name.length > 1_000) {
        reasons.add("unusable");
        continue;
      }
      const description = describe(server.name, tool);
      const more = description.length + JSON.stringify(parameters).length;
      if (length + more > LONGEST_TOOLS) {
        reasons.add("tooLong");
        continue;
      }
      const name = toolName(server.name, tool.name, taken);
      if (taken.has(name)) {
        reasons.add("unusable");
        continue;
      }
      taken.add(name);
      length += more;
      count++;
      const needsApproval = asks(tool, server.config.approval ?? "annotations");
      offer.tools.push({ name, description, parameters, needsApproval, server, tool });
    }
    if (total > wanted.length) reasons.add(wanted.length > MOST_TOOLS ? "tooMany" : "unusable");
    if (isCut) reasons.add("tooManyPages");
    if (reasons.size > 0) offer.leftOut.set(server, leftOut(server.name, total, count, isCut, reasons));
  }
  return offer;
}

const known = new WeakMap<Tool, object | null>();

/** Returns what `parametersOf` returns, which is computed once for a tool. */
function parametersOnce(tool: Tool): object | undefined {
  let parameters = known.get(tool);
  if (parameters === undefined) known.set(tool, (parameters = readParameters(tool)));
  return parameters ?? undefined;
}

function readParameters({ inputSchema }: Tool): object | null {
  try {
    return parametersOf(inputSchema) ?? null;
  } catch {
    // Too deep, for example. The other tools can be used.
    return null;
  }
}

/** Returns true if calls of a tool need approval. The defaults are those of the specification. */
export function asks({ annotations }: Tool, approval: McpApproval): boolean {
  if (approval !== "annotations") return approval === "always";
  // Other values than these promise nothing, such as the text "false".
  return annotations?.readOnlyHint !== true && annotations?.destructiveHint !== false;
}

function describe(server: string, { title, annotations, description }: Tool): string {
  const texts = [description, title, annotations?.title];
  const text = texts.find((one) => typeof one === "string" && one !== "") ?? "";
  return cut(`From the MCP server ${cut(server, 64)}: ${text}`, LONGEST_DESCRIPTION);
}

function leftOut(server: string, total: number, used: number, isCut: boolean, names: Set<ReasonName>): McpFailure {
  const reasons = (words: { reasons: Record<ReasonName, string> }) => [...names].map((name) => words.reasons[name]);
  return new McpFailure("mcp_tools_left_out", { server, left: total - used, total, isCut, reasons });
}
