/** Mensajes sobre los servidores MCP. */

import type { mcp as english } from "../en/mcp.js";

export const mcp: typeof english = {
  notices: {
    mcp_unreachable: ({ server, url, reason }) =>
      `No se puede conectar con el servidor MCP ${server} en ${url}: ${reason}. Inícialo o corrige su URL. El agente ` +
      "trabaja sin sus herramientas.",
    mcp_cors: ({ server, url, header }) =>
      `El servidor MCP ${server} funciona en ${url}, pero no permite que esta página lo use (CORS). Sus respuestas ` +
      `necesitan la cabecera ${header}. Añádela en el servidor o en un proxy. El agente trabaja sin sus herramientas.`,
    mcp_unauthorized: ({ server, url, status }) =>
      `El servidor MCP ${server} en ${url} ha rechazado la petición (HTTP ${status}). Comprueba la clave en sus cabeceras. ` +
      "El agente trabaja sin sus herramientas.",
    mcp_local_network: ({ server, url }) =>
      `El navegador no permite que esta página se conecte con el servidor MCP ${server} en ${url}, en la red local. ` +
      "Permite a esta página el acceso a la red local en los ajustes de sitios del navegador. El agente trabaja sin sus herramientas.",
    mcp_mixed_content: ({ server, url }) =>
      `El navegador no permite que esta página, cargada por https, se conecte por http con el servidor MCP ${server} en ` +
      `${url}. Da al servidor una URL https. El agente trabaja sin sus herramientas.`,
    mcp_timeout: ({ server, ms }) =>
      `El servidor MCP ${server} no ha respondido en ${ms} ms. Comprueba el servidor o aumenta timeoutMs. El agente ` +
      "trabaja sin sus herramientas.",
    mcp_not_a_server: ({ server, url, reason }) =>
      `${url} (${server}) responde, pero no como servidor MCP: ${reason}. Corrige la URL; suele terminar en /mcp o /sse. ` +
      "El agente trabaja sin sus herramientas.",
    mcp_server_error: ({ server, reason }) =>
      `El servidor MCP ${server} ha fallado: ${reason}. Consulta el registro del servidor. El agente trabaja sin sus herramientas.`,
    mcp_too_large: ({ server, limit }) =>
      `El servidor MCP ${server} ha enviado más de ${limit} bytes de una vez. Pídele menos. El agente trabaja sin sus herramientas.`,
    mcp_process: ({ server, command, reason }) =>
      `No se ha podido iniciar el servidor MCP ${server} con ${command}: ${reason}. Comprueba command, args y env. El agente ` +
      "trabaja sin sus herramientas.",
    mcp_no_processes: ({ server, command }) =>
      `El servidor MCP ${server} es un programa (${command}), que una página no puede iniciar. Ejecútalo detrás de una ` +
      "pasarela con URL, como supergateway, e indica url. El agente trabaja sin sus herramientas.",
    mcp_not_installed: ({ reason }) =>
      `No se ha podido cargar el paquete @modelcontextprotocol/client: ${reason}. Instálalo (npm install ` +
      "@modelcontextprotocol/client). El agente trabaja sin servidores MCP.",
    mcp_tools_left_out: ({ server, left, total, isCut, reasons }) =>
      `${isCut ? "Algunas" : left} de las ${isCut ? `más de ${total}` : total} herramientas del servidor MCP ${server} no se ` +
      `usan: ${(reasons as string[]).join("; ")}. Nombra las que necesitas en el ajuste tools del servidor.`,
  },
  reasons: {
    disconnected:
      "La conexión con el servidor MCP se ha perdido antes de que respondiera. Es posible que la llamada se haya ejecutado.",
    notReady: "El servidor MCP no está conectado en este momento.",
    refused: "allí no responde nada, o lo prohíbe la Content-Security-Policy de la página",
    tooMany: "hay más herramientas de las que admite un modelo",
    tooLong: "las descripciones de todas las herramientas juntas son demasiado largas",
    tooManyPages: "su lista tiene más páginas de las que se leen",
    unusable: "sus nombres o parámetros no se pueden usar",
    notJSON: "la respuesta no es JSON válido",
    ended: "ha cerrado la conexión",
  },
};
