/** Textos de agentes en otros lugares: en un worker, fuera de la página y con complementos. */

import type { plugins as englishPlugins } from "../en/plugins.js";
import type { webmcp as englishWebmcp } from "../en/webmcp.js";
import type { worker as englishWorker } from "../en/worker.js";

export const webmcp: typeof englishWebmcp = {
  notOffered: "Esta llamada no se ha ejecutado: la página ya no ofrece las herramientas de este editor.",
  cancelled: "Esta llamada se ha cancelado.",
  another: (name, suffix) =>
    `Para otro documento de esta página, cuyas herramientas terminan en ${suffix}: lo que los textos y resultados llaman ` +
    `${name} es aquí ${name}${suffix}.`,
  refused: (reason) =>
    `El navegador no permite que esta página registre herramientas (${reason}). En un marco, permítelo: ` +
    '<iframe allow="tools">; si no, comprueba la Permissions-Policy de la página y que se sirva por HTTPS.',
};

export const worker: typeof englishWorker = {
  busy: "El agente sigue trabajando. Espera a que termine o detenlo antes.",
  notLoaded: (reason) =>
    `No se ha podido cargar el worker del agente: ${reason}. Su script tiene que ser un módulo que llame a ` +
    'serveAgents(self): new Worker(url, { type: "module" }). Comprueba la URL y crea otro worker y otro agente.',
  stopped: (reason) =>
    `El worker del agente se ha detenido: ${reason}. Las ediciones aplicadas se conservan. Crea otro worker y otro agente, ` +
    "y dale los mensajes de este (agent.messages).",
};

export const plugins: typeof englishPlugins = {
  failed: (name, reason) =>
    `El complemento ${name} ha fallado: ${reason}. El agente sigue con lo que el complemento había añadido.`,
  leadsOut: "sale de la carpeta de la habilidad o contiene un carácter de control",
  rulesNotRead: (path, reason) => `Las reglas de ${path} no se han leído y no se aplican: ${reason}`,
  rulesRefused: (paths) =>
    `Las reglas de ${paths} no se aplican: el usuario no las ha aceptado. Léelas y acéptalas si te fías de su autor.`,
};
