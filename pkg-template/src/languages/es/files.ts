/** Palabras sobre los archivos. */

import type { files as english } from "../../ui/words/files-en.js";
import { grouped, plural } from "./numbers.js";

const file = (path?: string) => path ?? "un archivo";
const chapter = (number?: number) => (number === undefined ? "un capítulo" : `el capítulo ${number}`);
const range = (first?: number, last?: number) =>
  first === undefined && last === undefined
    ? ""
    : first === last
      ? `, línea ${first}`
      : last === undefined
        ? `, desde la línea ${first}`
        : `, líneas ${first ?? 1}–${last}`;
const found = (count?: number, isCut = false) =>
  count === undefined ? "" : ` · ${isCut ? "más de " : ""}${plural(count, "coincidencia")}`;
const findings = (count?: number) =>
  count === undefined ? "" : ` · ${count ? plural(count, "hallazgo") : "sin hallazgos"}`;
const characters = (length?: number) => (length ? ` · ${plural(length, "carácter", "caracteres")}` : "");

export const files: typeof english = {
  suggest: {
    first: "Escribe el primer capítulo de una historia sobre un faro",
    check: "Comprueba mi novela y corrige la cronología",
    setups: "¿Qué anticipaciones faltan?",
    next: (number) => `Escribe el capítulo ${number}`,
  },
  working: {
    reading: (path, first, last) => `Leyendo ${file(path)}${range(first, last)}`,
    writing: (path, length) => `Escribiendo ${file(path)}${characters(length)}`,
    chapter: (number, length) => `Escribiendo ${chapter(number)}${characters(length)}`,
    editing: (path) => `Editando ${file(path)}`,
    listing: "Consultando los archivos",
    searching: (text) => (text ? `Buscando «${text}» en los archivos` : "Buscando en los archivos"),
    timeline: "Comprobando días y fechas",
    references: "Comprobando anticipaciones y referencias",
  },
  requested: {
    write: (path) => `Escribir ${file(path)}`,
    chapter: (number, replaces) => `${replaces ? "Reemplazar" : "Escribir"} ${chapter(number)}`,
    edit: (path, old, replacement) =>
      old && replacement ? `Reemplazar «${old}» por «${replacement}» en ${file(path)}` : `Cambiar ${file(path)}`,
  },
  done: {
    read: (path, first, last) => `Leído: ${file(path)}${range(first, last)}`,
    wrote: (path, created) => `${created === false ? "Reescrito" : "Escrito"}: ${file(path)}`,
    edited: (path, first, last) => `Cambiado: ${file(path)}${range(first, last)}`,
    listed: (count) => (count === undefined ? "Archivos consultados" : `Consultado: ${plural(count, "archivo")}`),
    searched: (text, count, isCut) => `Búsqueda en los archivos${text ? `: «${text}»` : ""}${found(count, isCut)}`,
    timeline: (count) => `Días y fechas comprobados${findings(count)}`,
    references: (count) => `Anticipaciones y referencias comprobadas${findings(count)}`,
  },
  failedTo: {
    read: (path) => `No se ha podido leer ${file(path)}`,
    write: (path) => `No se ha podido escribir ${file(path)}`,
    chapter: (number) => `No se ha podido escribir ${chapter(number)}`,
    edit: (path) => `No se ha podido cambiar ${file(path)}`,
    list: "No se han podido consultar los archivos",
    search: (text) => `No se ha podido buscar${text ? ` «${text}»` : ""} en los archivos`,
    timeline: "No se han podido comprobar los días y las fechas",
    references: "No se han podido comprobar las anticipaciones y las referencias",
  },
  place: (path, line) => `${path}, línea ${grouped(line)}`,
  waived: "aceptado en el archivo",
  reasons: {
    file_not_found: "Ese archivo no existe.",
    invalid_path: "Ese nombre de archivo no es válido aquí.",
    permission_denied: "No hay permiso para usar este archivo.",
    file_protected: "Solo tú cambias las reglas y las habilidades.",
    not_text: "Este archivo no es un texto.",
    file_too_large: "Este archivo supera los 10 MB.",
    file_exists: "El archivo ya existe. Se queda como está.",
    file_changed: "Has cambiado el archivo mientras tanto. Se queda como está.",
    storage_full: "No queda espacio de almacenamiento. No se ha escrito nada.",
    storage_failed: "El almacenamiento ha fallado. No se ha escrito nada.",
    search_timeout: "La búsqueda ha tardado demasiado y se ha detenido.",
    invalid_pattern: "El texto que se busca no es una expresión válida.",
    search_unavailable: "En esta página no se pueden usar expresiones regulares.",
    text_not_found: "El texto que se debía cambiar no está en el archivo.",
    text_ambiguous:
      "El texto que se debía cambiar aparece más de una vez en el archivo, así que no está claro a cuál se refiere.",
    invalid_parameter: "El asistente ha pedido algo que no es posible.",
    missing_parameter: "El asistente ha pedido algo que no es posible.",
    invalid_arguments: "El asistente ha pedido algo que no es posible.",
    arguments_cut_off: "La respuesta del modelo ha quedado cortada.",
    disposed: "Los archivos se han cerrado.",
  },
};
