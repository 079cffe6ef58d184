/** Textos de los archivos: lo que se exporta y lo que Markdown no conserva. */

import type { publication as english } from "../en/publication.js";
import type { markdown as englishMarkdown } from "../en/markdown.js";

export const publication: typeof english = {
  assistant: "Asistente",
  chapter: (number) => `Capítulo ${number}`,
  untitled: "Sin título",
};

export const markdown: typeof englishMarkdown = {
  nodes: (count, type, text) =>
    `${count === 1 ? `un ${type}` : `${count} nodos del tipo ${type}`}${text && `, el primero «${text}»`}`,
  attribute: (name, nodes) => `Markdown no tiene forma de escribir ${name} de ${nodes}.`,
  mark: (name, nodes) => `Markdown no conserva ${name} en ${nodes}.`,
  emptyParagraphs: (count) => `Markdown no tiene párrafos vacíos: ${count === 1 ? "faltará 1" : `faltarán ${count}`}.`,
  content: (nodes) => `Markdown no conserva la forma de ${nodes}.`,
  url: (url) => `Un archivo no puede tener esta URL: ${url}`,
};
