/** Palabras de las acciones y de los bloques. */

import type { actions as english, ReadyTable } from "../en/actions.js";

export const actions: typeof english = {
  menu: "Asistente",
  ask: "Pedir…",
  askLabel: "Pedir algo al asistente sobre la selección",
  askHere: "Pedir al asistente que escriba aquí",
  placeholder: "¿Qué debe cambiar?",
  placeholderHere: "¿Qué hay que escribir?",
  send: "Enviar",
  back: "Atrás",
  slash: "Que escriba el asistente",
  slashOrInsert: "Que escriba el asistente, o insertar",
  askFor: (text) => `Pedir: ${text}`,
  found: (count) => (count === 1 ? "1 acción" : `${count} acciones`),
  working: (label) => `${label}: el asistente está trabajando`,
  stop: "Detener",
  close: "Cerrar",
  done: (changes) => (changes === 1 ? "Listo: 1 edición" : `Listo: ${changes} ediciones`),
  unchanged: "El asistente no ha cambiado nada",
  stopped: "Detenido",
  loading: "El asistente se está cargando. Inténtalo de nuevo dentro de un momento.",
  no_agent: "No hay ningún asistente para este documento.",
  busy: "El asistente ya está trabajando. Espera a que termine o detenlo.",
  read_only: "Este documento no se puede editar.",
  nothing_selected: "Selecciona antes algún texto.",
  editor_destroyed: "El editor se ha cerrado.",
  about: (label, excerpt) => `${label}: «${excerpt}»`,
  translateTo: (language) =>
    `Traduce el texto seleccionado al ${language.toLowerCase()}. Conserva su formato, sus enlaces, sus nombres y sus números.`,
  changeTone: (tone) =>
    `Reescribe el texto seleccionado con un tono ${tone.toLowerCase()}. Conserva su sentido, su idioma, su formato y sus enlaces.`,
};

const translation = (language: string) => ({ label: language, instruction: actions.translateTo(language) });
const tone = (name: string) => ({ label: name, instruction: actions.changeTone(name) });

export const ready: ReadyTable = {
  improve: {
    label: "Mejorar",
    instruction:
      "Mejora el texto seleccionado: más claro, más fluido, sin repeticiones. Conserva su sentido, su idioma, su extensión, su formato y sus enlaces.",
  },
  shorten: {
    label: "Acortar",
    instruction:
      "Acorta el texto seleccionado a la mitad, más o menos. Conserva lo importante, su idioma, su formato y sus enlaces.",
  },
  expand: {
    label: "Ampliar",
    instruction:
      "Amplía el texto seleccionado con detalles y ejemplos, hasta el doble de extensión, más o menos. Conserva su idioma y su estilo; no añadas datos de los que no estés seguro.",
  },
  fix: {
    label: "Corregir ortografía y gramática",
    instruction: "Corrige la ortografía, la gramática y la puntuación del texto seleccionado. No cambies nada más.",
  },
  translate: { label: "Traducir" },
  "translate-en": translation("Inglés"),
  "translate-zh": translation("Chino"),
  "translate-es": translation("Español"),
  "translate-fr": translation("Francés"),
  "translate-de": translation("Alemán"),
  "translate-ja": translation("Japonés"),
  tone: { label: "Cambiar el tono" },
  "tone-formal": tone("Formal"),
  "tone-friendly": tone("Cercano"),
  "tone-plain": tone("Sencillo"),
  "tone-confident": tone("Seguro"),
  summarize: {
    label: "Resumir",
    instruction: "Reemplaza el texto seleccionado por un resumen de dos o tres frases, en su idioma.",
  },
  continue: {
    label: "Continuar escribiendo",
    instruction:
      "Continúa escribiendo en el cursor: un párrafo que siga al texto anterior, en el mismo idioma y estilo. No repitas ese texto.",
  },
  outline: {
    label: "Escribir un esquema",
    instruction:
      "Escribe en el cursor un esquema de lo que este documento debería decir todavía, como lista, en el idioma del documento.",
  },
  "summarize-document": {
    label: "Resumir el documento",
    instruction:
      "Escribe en el cursor un resumen de todo el documento, en tres a cinco frases, en el idioma del documento.",
  },
  "heading-1": { label: "Título" },
  "heading-2": { label: "Sección" },
  "heading-3": { label: "Subtítulo" },
  bulletList: { label: "Lista con viñetas" },
  orderedList: { label: "Lista numerada" },
  taskList: { label: "Lista de tareas" },
  blockquote: { label: "Cita" },
  codeBlock: { label: "Bloque de código" },
  horizontalRule: { label: "Separador" },
  table: { label: "Tabla" },
};
