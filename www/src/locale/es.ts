/** Textos de la página en español, con las mismas claves que `en.ts`. Se cargan cuando se elige este idioma. */
import { addLanguage } from "copydesk";
import { es as spanish } from "copydesk/languages/es";
import { modKey } from "../dom";
import type { Messages } from "./en";

addLanguage(spanish);

const { format: grouped } = new Intl.NumberFormat("es");
const plural = (n: number, one: string, many = `${one}s`) => `${grouped(n)} ${n === 1 ? one : many}`;
const { conversation, panels } = spanish.words;

export const es: Messages = {
  lang: "es",
  language: "Idioma",
  otherLanguage: "English",
  otherLanguageShort: "EN",
  switchLanguage: "Switch to English",
  engineFailed: "No se ha podido cargar el asistente. Puedes seguir escribiendo.",
  tryAgain: "Reintentar",
  openSettings: "Abrir los ajustes",

  skipToPage: "Ir al documento",
  themeDark: "Tema oscuro",
  themeLight: "Tema claro",
  settings: "Ajustes",
  shortcuts: "Atajos de teclado",
  close: "Cerrar",

  panels: "Paneles",
  panelFailed: "No se ha podido cargar el panel. Elígelo otra vez.",
  outline: panels.outline.label,
  showOutline: "Mostrar los paneles",
  hideOutline: "Ocultar los paneles",
  showAssistant: "Mostrar el asistente",
  hideAssistant: "Ocultar el asistente",
  intro:
    "copydesk es un editor con un asistente: lee tu documento y sugiere cambios, y tú aceptas o rechazas cada uno.",
  page: "Documento",
  pagePlaceholder: "Empieza a escribir, pulsa / para ver sugerencias o pregunta al asistente.",

  files: {
    tab: "Archivos",
    searchTab: "Buscar",
    checksTab: "Comprobaciones",
    ownDocument: "Tu documento",
    emptyHint:
      "Pide al asistente que escriba el primer capítulo, añade archivos o mira una novela corta con algunos errores puestos a propósito.",
    openSample: "Abrir la novela de ejemplo",
    places: {
      label: "Ubicación",
      browser: "Archivos de este navegador",
      folder: (name) => `Carpeta ${name}`,
      open: "Abrir una carpeta de este equipo",
      cannotOpen:
        "Este navegador no puede trabajar en una carpeta de este equipo. Chrome y Edge en un equipo de escritorio sí pueden.",
      closed: (name) => `El navegador necesita otra vez tu permiso para usar la carpeta ${name}.`,
      refused: (name) =>
        `El navegador no ha dado permiso para usar la carpeta ${name}. Inténtalo de nuevo o vuelve a abrir la carpeta.`,
      allow: "Permitir el acceso",
      noAccess: "Sin permiso",
      unknown: "El navegador ha olvidado la carpeta del archivo que estaba abierto. Vuelve a abrir la carpeta.",
      kept: (sentence) => `${sentence} Hasta entonces, lo que escribas se guarda en este navegador.`,
    },
    closeFile: "Cerrar el archivo",
    states: {
      opening: "",
      saved: "Guardado",
      unsaved: "Guardando…",
      removed: "Eliminado",
      lossy: "Sin guardar",
      conflict: "Sin guardar: cambiado en otro lugar",
      failed: "Sin guardar",
    },
    authors: { agent: "el asistente", user: "tú, en otro lugar,", outside: "otro programa" },
    conflict: (path, by) =>
      `${path} ha sido cambiado por ${by} mientras escribías. Se conservan los dos textos: elige uno; el otro queda entre las versiones.`,
    conflictTitle: (path) => `Dos textos de ${path}`,
    conflictHint: "El texto que no elijas queda entre las versiones del archivo.",
    compare: "Comparar",
    mine: "Tu texto",
    theirs: "El otro texto",
    takeMine: "Usar el mío",
    takeTheirs: "Usar el otro",
    setAside: "Apartado en un conflicto",
    lossy: (losses) => `Todavía sin guardar, porque un archivo Markdown no conserva esto: ${losses.join(" ")}`,
    saveAnyway: "Guardar sin ello",
    removed: (path) => `${path} se ha eliminado. Tu texto sigue aquí.`,
    writeAgain: "Escribirlo otra vez",
    failed: (reason) => `No se ha podido guardar el archivo. ${reason}`,
    busy: "El asistente está trabajando en el documento que se muestra.",
    stopAndOpen: "Detenerlo y continuar",
    reasons: conversation.files.reasons,
    export: {
      markdown: "Exportar como Markdown",
      html: "Exportar como HTML",
      docx: "Exportar como Word (DOCX)",
      epub: "Exportar como EPUB",
      pdf: "Imprimir o guardar como PDF",
      book: "Exportar el libro entero…",
      bookTitle: "Exportar el libro entero",
      title: "Título",
      author: "Autor (opcional)",
      format: "Formato",
      formats: { markdown: "Markdown", html: "HTML", docx: "Word", epub: "EPUB", pdf: "PDF (imprimir)" },
      chapters: (count) => `El libro tiene ${plural(count, "capítulo")}.`,
      leftOut: (count) =>
        count === 1
          ? "1 archivo que no se ha podido leer no estará en él:"
          : `${grouped(count)} archivos que no se han podido leer no estarán en él:`,
      run: "Exportar",
      failed: (reason) => `La exportación ha fallado. ${reason}`,
      lost: (names) => `Al archivo le falta: ${names.join(", ")}`,
    },
    pending: {
      title: "Hay cambios en espera",
      waiting: (count) =>
        count === 1
          ? "1 cambio sugerido no está aceptado ni rechazado."
          : `${grouped(count)} cambios sugeridos no están aceptados ni rechazados.`,
      question: "Qué exportar",
      accepted: "El texto con los cambios",
      marked: "Ambos, con los cambios marcados",
      rejected: "El texto sin los cambios",
      run: "Exportar",
      book: (count) =>
        count === 1
          ? "Sin 1 cambio del capítulo abierto que espera tu decisión."
          : `Sin ${grouped(count)} cambios del capítulo abierto que esperan tu decisión.`,
    },
  },
  share: {
    share: "Compartir",
    title: "Compartir este documento",
    hint: "Se abre una copia del documento en una sala, que este navegador guarda. Quien tenga el enlace de la sala puede cambiarla.",
    server: "Servidor de Hocuspocus (opcional)",
    withoutChanges: "Los cambios propuestos no se han podido compartir: la copia es el documento sin ellos.",
    open: "Abrir la copia",
    serverHint: "Sin servidor, pueden entrar las demás ventanas de este navegador.",
    guest: "Invitado",
    copy: "Copiar el enlace",
    copied: "Copiado",
    leave: "Salir",
    comments: panels.comments.label,
    authorship: panels.authorship.label,
    problems: {
      off: "Este navegador no guarda la sala. Los cambios se pierden cuando nadie más la tiene abierta.",
      full: "El navegador no tiene más espacio. Los últimos cambios de la sala no se guardan aquí.",
    },
  },
  plugins: {
    tab: "Habilidades, servidores y reglas",
    notLoaded: "No se ha podido cargar esta parte de la página. Comprueba la red e inténtalo de nuevo.",
    notSaved:
      "No se han podido guardar tus reglas, habilidades y servidores: este navegador no tiene espacio. Se pierden al cerrar la página.",
    rulesFound: (folder, names) =>
      `La carpeta ${folder} tiene instrucciones para el asistente: ${names.join(", ")}. Solo las sigue si estás de acuerdo.`,
    readRules: "Leerlas",
    useRules: "Usarlas",
    refuseRules: "No usarlas",
  },

  toolbar: "Formato",
  undo: "Deshacer",
  redo: "Rehacer",
  textStyle: "Estilo del texto",
  styles: ["Texto", "Título", "Sección", "Subtítulo"],
  bold: "Negrita",
  italic: "Cursiva",
  underline: "Subrayado",
  strike: "Tachado",
  code: "Código",
  quote: "Cita",
  codeBlock: "Bloque de código",
  divider: "Separador",
  bullets: "Lista con viñetas",
  numbers: "Lista numerada",
  tasks: "Lista de tareas",
  table: "Tabla",
  rowsAndColumns: "Filas y columnas",
  rowAbove: "Insertar fila encima",
  rowBelow: "Insertar fila debajo",
  columnBefore: "Insertar columna antes",
  columnAfter: "Insertar columna después",
  headerRow: "Fila de cabecera",
  deleteRow: "Eliminar fila",
  deleteColumn: "Eliminar columna",
  deleteTable: "Eliminar tabla",
  image: "Insertar imagen",
  find: "Buscar y reemplazar",
  findInDocument: "Buscar en el documento abierto",
  openDocument: "Abrir un documento",
  open: {
    oneFile: "Abre los documentos de uno en uno. Para conservar varios, añádelos en el panel «Archivos».",
    failed: (name, reason) => `No se ha podido abrir «${name}». ${reason}`,
    replaces: (name) =>
      `«${name}» ocupa el lugar del documento que se muestra, con tus cambios. Expórtalo antes si lo necesitas. Tu propio documento se conserva.`,
    open: "Abrirlo",
  },
  export: "Exportar",
  link: "Enlace",
  linkUrl: "URL del enlace",
  setLink: "Aplicar",
  removeLink: "Quitar",
  invalidLink: "Escribe una dirección web o de correo electrónico, como example.com.",

  saveRecording: "Guardar la grabación",
  openRecording: "Abrir una grabación",
  startRecording: "Grabar conversaciones",
  stopRecording: "Dejar de grabar conversaciones",
  recordingHint:
    "Una grabación es un archivo que muestra a otros lo que ocurrió: documento y conversación, sin claves de API.",
  replayed: "Reproducción de una grabación. El resultado es el mismo que en la ejecución original.",
  replayDiffers: (difference) =>
    `Reproducción de una grabación. El resultado difiere de la ejecución original: ${difference}`,
  replayDifferences: {
    event: "los eventos no son los mismos.",
    document: "el documento no es el mismo.",
    end: "terminó antes.",
    answer: "llamó a una herramienta a la que entonces no se llamó.",
  },
  replayRequest: (request) => `las peticiones al modelo difieren desde la petición ${request}.`,
  newConversationWith: (name) => `Conversación nueva con ${name}`,
  demoNotice: ["Modelo de demostración: ejecuciones grabadas, no una IA. Elige un modelo real en los ", "ajustes", "."],
  demoName: "el modelo de demostración",
  demo: {
    needsModel:
      "Esto necesita un modelo: el modelo de demostración solo reproduce ejecuciones grabadas. «What can you do?» las enumera.",
    denied: "No has permitido este cambio, así que me he detenido. Las ediciones anteriores se conservan.",
    differs:
      "Este paso no ha salido bien, porque el texto no está como en la ejecución grabada. Las ediciones anteriores se conservan. A partir de aquí hace falta un modelo.",
    searchFailed: "La búsqueda ha fallado: no se puede conectar con el servicio.",
    nothingFound: "La búsqueda no ha encontrado nada, así que me he detenido. Las ediciones anteriores se conservan.",
    needsModelMenu: "Necesita un modelo",
    needsModelItem: (label) => `${label} (necesita un modelo)`,
  },
  assistant: conversation.assistant,
  openConversation: "Abrir la conversación",
  closeConversation: "Cerrar la conversación",
  storage: {
    off: "Este navegador no guarda datos de esta página. Tu texto se pierde al cerrarla.",
    full: "El navegador no tiene más espacio para esta página. Tus últimos cambios no están guardados. Exporta el documento o elimina conversaciones.",
    newer:
      "Lo guardado aquí lo ha escrito una versión más reciente de esta página. Se queda como está y tus cambios no se guardan. Recarga la página para obtener la versión más reciente.",
    replaced:
      "Una versión más reciente de esta página está abierta en otra pestaña. Tus cambios ya no se guardan aquí.",
    unreadable:
      "Esta versión de la página no puede leer el documento guardado. Se conserva como está y empiezas con un documento vacío.",
    download: "Descargar el documento guardado",
    reload: "Recargar",
    elsewhere: "Este documento está abierto en otra pestaña. Puedes leerlo aquí, pero no cambiarlo.",
    moveHere: "Editarlo aquí",
    recording: "Este es el documento de una grabación.",
    opened: (name) => `«${name}» está abierto. El documento anterior se conserva.`,
    backToDocument: "Volver a tu documento",
    lostHunks: (count) =>
      `${count === 1 ? "1 cambio sugerido no se ha podido" : `${grouped(count)} cambios sugeridos no se han podido`} recuperar, porque el documento no es el mismo. El documento no ha cambiado.`,
  },
  settingsTitle: "Ajustes",
  more: "Más",
  custom: "Personalizado",
  keysForgotten: (names) =>
    `La clave de API de ${names.join(" y ")} no se ha recordado. Escríbela otra vez o elige en los ajustes recordar las claves.`,
  demoHint:
    "Este proveedor necesita una clave de API. Hasta que la escribas, responde el modelo de demostración. Los modelos de tu propio equipo (Ollama) no necesitan ninguna.",
  cancel: "Cancelar",

  shortcutList: [
    ["Enter", "Enviar"],
    ["Shift Enter", "Línea nueva"],
    ["Enter", "Mientras el asistente trabaja: enviar tras este paso"],
    ["Esc", "Detener el asistente"],
    ["Mod /", "Cambiar entre documento y asistente"],
    ["Mod J", "Acciones sobre la selección"],
    ["/", "En una línea vacía: que escriba el asistente"],
    ["Mod Z", "Deshacer una edición"],
    ["Mod Shift Z", "Rehacer"],
    ["Mod Alt ↓", "Cambio siguiente"],
    ["Mod Alt ↑", "Cambio anterior"],
    ["Mod Alt Enter", "Aceptar el cambio"],
    ["Mod Alt ⌫", "Rechazar el cambio"],
    ["Mod F", "Buscar en el documento"],
    [modKey === "⌘" ? "Mod Alt F" : "Mod H", "Buscar y reemplazar"],
    ["Mod K", "Enlace"],
    ["Mod B", "Negrita"],
    ["Mod I", "Cursiva"],
    ["Mod U", "Subrayado"],
    ["Mod Alt 1–3", "Título, sección, subtítulo"],
    ["↑", "Último mensaje, en un campo vacío"],
    ["?", "Mostrar esta lista"],
  ],
};
