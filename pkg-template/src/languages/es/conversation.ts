/** Palabras de la conversación. */

import type { Words } from "../../ui/words/en.js";
import { files } from "./files.js";
import { grouped, plural } from "./numbers.js";
import { plugins } from "./plugins.js";

function section(index: number | undefined, title?: string): string {
  if (index === undefined) return title ? `«${title}»` : "una sección";
  if (index === 0) return title ? `la introducción «${title}»` : "la introducción";
  return title ? `la sección ${index} «${title}»` : `la sección ${index}`;
}

const position = (to?: number) => (to === undefined ? "" : ` a la posición ${to}`);
const lines = (first?: number, last = first) =>
  first === undefined ? "líneas" : first === last ? `la línea ${first}` : `las líneas ${first}–${last}`;
const results = (found?: number) => (found === undefined ? "" : ` · ${plural(found, "resultado")}`);
const passages = (ranges: number) => plural(ranges, "pasaje");

export const conversation: Words = {
  lang: "es",
  loading: "Cargando el asistente",
  engineFailed: "No se ha podido cargar el asistente. Puedes seguir escribiendo.",
  tryAgain: "Reintentar",
  openSettings: "Abrir los ajustes",
  close: "Cerrar",
  files,
  plugins,

  assistant: "Asistente",
  you: "Tú",
  conversation: "Conversación",
  newConversation: "Conversación nueva",
  conversations: "Conversaciones",
  deleteConversation: (title) => `Eliminar la conversación «${title}»`,
  offlineNotice: "No hay conexión. El documento está a salvo, pero no se puede acceder a modelos remotos.",
  welcomeTitle: "¿Qué quieres escribir?",
  welcomeText: {
    auto: "El asistente lee el documento y lo edita directamente. Cada edición se deshace en un paso.",
    review: "El asistente lee el documento y sugiere cambios. Tú aceptas o rechazas cada uno.",
    ask: "El asistente lee el documento y pregunta antes de cada edición.",
  },
  copy: "Copiar",
  copied: "Copiado",
  editMessage: "Editar",
  editField: "Editar el mensaje",
  sendAgain: "Enviar otra vez",
  editLater: "El asistente está trabajando. Podrás enviarlo cuando termine.",
  cancel: "Cancelar",
  model: "Modelo",
  showEarlier: "Mostrar mensajes anteriores",
  storageProblems: {
    off: "Este navegador no guarda conversaciones. Se pierden al cerrar la página.",
    full: "El navegador no tiene más espacio. Los últimos mensajes no se guardan: elimina conversaciones.",
    newer:
      "Una versión más reciente de esta página ha escrito las conversaciones guardadas. Recarga la página para verlas.",
    unreadable:
      "Esta versión de la página no puede leer algunas conversaciones guardadas. Quedan como están: recarga la página.",
  },
  composer: "Mensaje para el asistente",
  placeholderEmpty: "Pide un artículo o un cambio…",
  placeholderMore: "Pide otro cambio…",
  placeholderWorking: "Añade un mensaje…",
  attach: "Adjuntar",
  attached: "Adjunto",
  detailsFailed: "No se han podido mostrar los detalles: una parte de esta página no se ha cargado.",
  attachFailed: "No se ha podido adjuntar nada: una parte de esta página no se ha cargado. Inténtalo de nuevo.",
  send: "Enviar",
  stop: "Detener",
  hintIdle: "Mayús+Intro: línea nueva",
  hintWorking: "Esc: detener",
  hintLater: "Intro: enviar tras este paso",
  sendLater: "Enviar tras este paso",
  queued: "Tras este paso",
  removeQueued: (text) => `Quitar: ${text}`,
  mode: "Modo de edición",
  modes: { review: "Revisar cambios", auto: "Aplicar directamente", ask: "Preguntar antes" },
  thinking: "Pensando…",
  thoughts: "Razonamiento",
  suggest: {
    write: "Escribe un artículo sobre el té con tres secciones y una imagen",
    writeOther: "Escribe un artículo sobre bicicletas con cuatro secciones",
    help: "¿Qué sabes hacer?",
    shorten: (n) => `Acorta la sección ${n}`,
    rewrite: (n) => `Reescribe la sección ${n} en lenguaje sencillo`,
    image: (n) => `Añade una imagen a la sección ${n}`,
    insert: (n) => `Inserta una sección sobre el agua antes de la sección ${n}`,
    summarize: "Resume el documento",
  },
  working: {
    start: "Empezando",
    model: "Esperando al modelo",
    thinking: "Pensando",
    answering: "Respondiendo",
    approval: "Esperando tu aprobación",
    reading: "Leyendo el documento",
    writing: (index, title, length) =>
      `Escribiendo ${section(index, title)}${length ? ` · ${plural(length, "carácter", "caracteres")}` : ""}`,
    inserting: (title) => `Insertando ${title ? `«${title}»` : "una sección"}`,
    deleting: (index, title) => `Eliminando ${section(index, title)}`,
    moving: (index, title) => `Moviendo ${section(index, title)}`,
    insertingImage: (index) => `Insertando una imagen en ${section(index)}`,
    searchingImages: (query) => (query ? `Buscando imágenes: ${query}` : "Buscando imágenes"),
    searchingWeb: (query) => (query ? `Buscando en la web: ${query}` : "Buscando en la web"),
    readingLines: (first, last) => `Leyendo ${lines(first, last)}`,
    readingMore: "Leyendo más",
    editingLines: (first, last) => `Editando ${lines(first, last)}`,
    editingRanges: (ranges) => `Editando ${passages(ranges)}`,
    editingAll: "Editando el documento",
    replacing: (old, replacement) =>
      old && replacement ? `Reemplazando «${old}» por «${replacement}»` : "Reemplazando texto",
    tool: (name) => `Ejecutando ${name}`,
  },
  question: (action) => `¿${action}?`,
  requested: {
    write: (index, title) => `Escribir ${section(index, title)}`,
    insert: (title) => `Insertar ${title ? `«${title}»` : "una sección"}`,
    delete: (index, title) => `Eliminar ${section(index, title)}`,
    move: (index, title, to) => `Mover ${section(index, title)}${position(to)}`,
    insertImage: (index) => `Insertar una imagen en ${section(index)}`,
    editLines: (first, last) => `Editar ${lines(first, last)}`,
    editRanges: (ranges) => `Editar ${passages(ranges)}`,
    editAll: "Editar todo el documento",
    replace: (old, replacement) =>
      old && replacement ? `Reemplazar «${old}» por «${replacement}»` : "Reemplazar texto",
    tool: (name) => `Ejecutar ${name}`,
  },
  done: {
    read: (sections) =>
      !sections ? "Documento leído" : `Documento leído: ${plural(sections, "sección", "secciones")}`,
    readEmpty: "Documento leído: está vacío",
    wrote: (index, title) => `Escrito: ${section(index, title)}`,
    rewrote: (index, title) => `Reescrito: ${section(index, title)}`,
    inserted: (index, title) => `Insertado: ${section(index, title)}`,
    deleted: (index, title) => `Eliminado: ${section(index, title)}`,
    moved: (index, title, to) => `Movido: ${section(index, title)}${position(to)}`,
    insertedImage: (index, title) => `Imagen insertada en ${section(index, title)}`,
    searchedImages: (query, found) => `Búsqueda de imágenes${query ? `: ${query}` : ""}${results(found)}`,
    searchedWeb: (query, found) => `Búsqueda en la web${query ? `: ${query}` : ""}${results(found)}`,
    readLines: (first, last) => `Leído: ${lines(first, last)}`,
    readMore: "Leído algo más",
    editedLines: (first, last) => `Editado: ${lines(first, last)}`,
    editedRanges: (ranges) => `Editado: ${passages(ranges)}`,
    editedAll: "Documento editado",
    replaced: (old, replacement) =>
      old && replacement ? `Reemplazado: «${old}» por «${replacement}»` : "Texto reemplazado",
    tool: (name) => `Ejecutado: ${name}`,
  },
  failed: {
    read: "No se ha podido leer el documento",
    wrote: (index, title) => `No se ha podido escribir ${section(index, title)}`,
    deleted: (index) => `No se ha podido eliminar ${section(index)}`,
    moved: (index) => `No se ha podido mover ${section(index)}`,
    insertedImage: "No se ha podido insertar la imagen",
    searchedImages: (query) => `No se ha podido buscar imágenes${query ? `: ${query}` : ""}`,
    searchedWeb: (query) => `No se ha podido buscar en la web${query ? `: ${query}` : ""}`,
    readLines: "No se han podido leer las líneas",
    readMore: "No se ha podido leer más",
    editedLines: "No se han podido editar las líneas",
    replaced: (old) => (old ? `No se ha podido reemplazar «${old}»` : "No se ha podido reemplazar el texto"),
    tool: (name) => `${name} ha fallado`,
  },
  approvalNeeded: "Hace falta tu aprobación:",
  allow: "Permitir",
  deny: "Denegar",
  status: {
    approval: "espera tu aprobación",
    waiting: "en espera",
    running: "en curso",
    done: "hecho",
    failed: "con error",
    stopped: "detenido",
    rejected: "denegado",
  },
  retrying: (seconds, reason) => `Reintentando ${seconds ? `en ${seconds} s` : "ahora"} (${reason})`,
  retryReasons: {
    rate_limited: "demasiadas peticiones",
    overloaded: "el proveedor está saturado",
    server_error: "error del servidor",
    provider_error: "el proveedor ha comunicado un error",
    stream_cut: "la conexión se ha cortado",
    timeout: "tiempo agotado",
    offline: "sin red",
    unreachable: "no se puede conectar con el servidor",
    call_missing: "falta la llamada anunciada",
    text_was_thinking: "era razonamiento",
  },
  compacted: (before, after) =>
    `Los mensajes anteriores se han resumido (${grouped(before)} → ${grouped(after)} tokens).`,
  ms: (ms) => (ms < 1 ? "<1 ms" : `${grouped(Math.round(ms))} ms`),
  seconds: (ms) => `${(ms / 1000).toFixed(1).replace(".", ",")} s`,
  details: "Detalles",
  newText: "Texto",
  summary: (edits, time, cost) =>
    [edits ? plural(edits, "edición", "ediciones") : "Sin ediciones", time, cost].filter(Boolean).join(" · "),
  tokens: (tokens) => plural(tokens, "token"),
  cost: (usd) => usd.toLocaleString("es", { style: "currency", currency: "USD", maximumSignificantDigits: 2 }),
  pending: (changes) => `${plural(changes, "cambio")} por revisar`,
  verdict: (accepted, rejected, partly) =>
    !partly && !rejected
      ? "Aceptado"
      : !partly && !accepted
        ? "Rechazado"
        : [accepted && plural(accepted, "aceptado"), rejected && plural(rejected, "rechazado")]
            .filter(Boolean)
            .join(", "),
  accept: "Aceptar",
  reject: "Rechazar",
  takeBack: "Retirar",
  changedSince: "El texto ha cambiado desde entonces, así que esto se queda.",
  actionOnCall: (action, call) => `${action}: ${call}`,
  undoRun: "Deshacer esta ejecución",
  undone: "La ejecución se ha deshecho.",
  undoneExcept: (texts) =>
    `La ejecución se ha deshecho, salvo el texto que cambió después: ${texts.map((text) => `«${text}»`).join(", ")}`,
  nothingToUndo: "No queda nada que deshacer.",
  stopped: "Detenido. Las ediciones terminadas se conservan.",
  interrupted: "El asistente se interrumpió mientras trabajaba. Lo que había hecho hasta entonces se conserva.",
  continueRun: "Continuar",
  announceStart: "El asistente está trabajando.",
  announceDone: "Listo.",
  estimated: (cost) => `unos ${cost} (estimación)`,
};
