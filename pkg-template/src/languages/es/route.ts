/** Errores de la ruta del servidor y de las páginas que la usan. */

import type { chat as englishChat } from "../en/chat.js";
import type { Refusal, route as english } from "../en/route.js";

const REFUSALS: Record<Refusal, string> = {
  unsigned: "no lleva la firma de esta ruta",
  changed: "las llamadas, aquello a lo que se refieren o su conversación no son las de la solicitud",
  expired: "se solicitó hace demasiado tiempo",
  decided: "ya se había decidido sobre ellas",
};

export const route: typeof english = {
  errors: {
    not_json: ({ reason }) =>
      `El cuerpo no es un objeto JSON (${reason}). Envía {"message", "documentContent", "history"?, "llmConfig"} como JSON.`,
    too_deep: ({ limit }) =>
      `El cuerpo anida listas y objetos a más de ${limit} niveles. Envía los documentos como HTML y los resultados como textos.`,
    missing_parameter: ({ name, expected }) => `Falta ${name}. Añádelo al cuerpo: ${expected}.`,
    invalid_parameter: ({ name, given, expected }) => `${name} es ${given}; tiene que ser ${expected}.`,
    base_url_not_allowed: ({ given }) =>
      `No se permite la URL base ${given}, o la URL a la que lleva con este modelo. Añádela a \`baseUrls\` de la ruta o usa otra.`,
    origin_not_allowed: ({ origin }) =>
      `Las páginas de ${origin} no pueden usar esta ruta. Añade el origen a \`origins\` de la ruta.`,
    host_not_allowed: ({ host }) =>
      `Esta ruta no atiende peticiones al servidor ${host}. Añade su nombre a \`hosts\` de la ruta o usa https.`,
    approval_not_asked: ({ reason }) =>
      `Se rechaza esta decisión sobre llamadas: ${REFUSALS[reason as Refusal]}. No se ha ejecutado nada. Envía un mensaje en su lugar.`,
    unknown_run: ({ id }) =>
      `No hay ninguna ejecución ${id} con este token. Envía la cabecera copydesk-run-token de la petición que la inició, o ` +
      "envía el mensaje sin la cabecera last-event-id.",
    unknown_event: ({ given, last }) =>
      `La ejecución ha terminado y no tiene el evento ${given}; el último es ${last}. Envía en last-event-id el id de un evento ` +
      "de esta ejecución, u omite la cabecera para leerla desde el principio.",
    method_not_allowed: ({ method, valid }) => `Aquí no se admite el método ${method}. Usa ${valid}.`,
    document_busy: () =>
      'Hay otra ejecución activa en este documento. Espera a que termine o configura `whenBusy: "queue"` en la ruta.',
    log_failed: () =>
      "El registro de ejecuciones no se puede leer en este momento, así que se desconoce el avance de esta. Inténtalo más tarde.",
    closing: () => "Esta instancia del servidor se está cerrando. Envía la petición de nuevo: la atenderá otra.",
    too_large: ({ limit }) =>
      `El cuerpo supera ${limit} bytes. Envía un documento o un historial menor, o aumenta \`maxBodyBytes\`.`,
  },
  serverFailed: "El servidor ha fallado; el motivo está en su registro. Inténtalo más tarde.",
  serviceFailed: (code, status) =>
    `Un servicio detrás de este servidor ha fallado (${code}${status ? `, estado ${status}` : ""}). Inténtalo más tarde o ` +
    "pregunta a quien administra el servidor: el motivo está en su registro.",
};

export const chat: typeof englishChat = {
  stream_cut:
    "La respuesta se ha cortado antes de que terminara la ejecución. Comprueba la conexión y envía de nuevo el mensaje.",
  document_changed:
    "El documento ha cambiado mientras la ejecución lo editaba, así que sus cambios ya no encajan. Haz que el editor sea de " +
    "solo lectura durante una ejecución, o ejecuta el agente en la página.",
  bad_answer: "El servidor no ha respondido como una ruta de chat. Comprueba la URL.",
};
