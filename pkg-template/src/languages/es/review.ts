/** Palabras de la revisión y de las sugerencias. */

import type { review as english } from "../en/review.js";
import type { suggestions as englishSuggestionWords } from "../en/suggestions.js";

export const review: typeof english = {
  changes: "Cambios sugeridos",
  count: (at, total) => `${at ? `${at} de ` : ""}${total} ${total === 1 ? "cambio" : "cambios"}`,
  previous: "Cambio anterior",
  next: "Cambio siguiente",
  accept: "Aceptar",
  reject: "Rechazar",
  acceptAll: "Aceptar todo",
  rejectAll: "Rechazar todo",
  keepMine: "Conservar lo mío",
  takeProposal: "Usar la propuesta",
  keepBoth: "Conservar ambos",
  and: (one, other) => `${one} y ${other}`,
  open: (count) => (count === 1 ? "1 conflicto sin resolver" : `${count} conflictos sin resolver`),
  bothChanged: "También has cambiado esto",
  deleteThis: "Eliminar esto",
  replaceThis: "Reemplazar esto",
  mine: "Lo tuyo",
  proposal: "Propuesta",
  quoted: (text) => `«${text}»`,
  insertion: (text) => `inserción de ${text}`,
  deletion: (text) => `eliminación de ${text}`,
  edit: (before, after) => `${before} pasa a ser ${after}`,
  labelled: (act, what) => `${act}: ${what}`,
  by: (what, author) => `${what}, de ${author}`,
  announced: (at, total, what) => `Cambio ${at} de ${total}: ${what}`,
  conflict: (what) => `${what}. También has cambiado esto`,
  none: "No quedan cambios por revisar",
  image: (alt) => (alt ? `la imagen «${alt}»` : "una imagen"),
  nothing: "nada",
  formatting: "formato",
  enteredByTyping: "Este cambio se ha aceptado para que puedas editarlo. Deshacer lo revierte.",
  notInConflict: "Resuelve antes este conflicto: conserva lo tuyo, usa la propuesta o conserva ambos.",
  notInDeletion: "Esto es una eliminación. Acéptala o recházala; aquí no hay texto que editar.",
  notInProposal: "Aquí no hay texto que editar. Acepta antes este cambio.",
  hidden: "Aquí se oculta texto que un cambio elimina. Muestra los cambios para editarlo.",
  markedAgain: "Hay cambios nuevos, así que los cambios vuelven a mostrarse.",
  notMarked: "Muestra los cambios para decidir sobre uno.",
  view: "Vista",
  views: { original: "Original", marked: "Con cambios", final: "Final" },
  rejected: (count) => (count === 1 ? "1 cambio se ha rechazado." : `${count} cambios se han rechazado.`),
  undo: "Deshacer",
  cut: (count) =>
    count === 1
      ? "El texto cortado contiene un cambio sugerido. Deshacer lo devuelve a su sitio."
      : `El texto cortado contiene ${count} cambios sugeridos. Deshacer los devuelve a su sitio.`,
};

export const suggestions: typeof englishSuggestionWords = {
  agentOf: (name) => (name ? `Asistente de ${name}` : "Asistente"),
  notPermitted: (count) =>
    count === 1
      ? "No puedes decidir sobre esta sugerencia. Pide a su autor o a un editor del documento que decida."
      : `No puedes decidir sobre estas ${count} sugerencias. Pide a sus autores o a un editor del documento que decidan.`,
  ignored: (count) =>
    count === 1
      ? "No se puede mostrar una sugerencia de este documento. Quizá su autor use una versión posterior: recarga la página o pídele que la sugiera de nuevo."
      : `No se pueden mostrar ${count} sugerencias de este documento. Quizá sus autores usen una versión posterior: recarga la página o pídeles que las sugieran de nuevo.`,
};
