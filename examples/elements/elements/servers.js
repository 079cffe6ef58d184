import { mcp } from "copydesk/mcp";

const servers = document.createElement("copydesk-servers");
Object.assign(servers, { servers: {}, plugin: mcp({ mcpServers: {} }) });
export default servers;
