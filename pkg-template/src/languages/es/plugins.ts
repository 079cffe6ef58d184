/** Palabras sobre habilidades, servidores y reglas. */

import type { plugins as english } from "../../ui/words/plugins-en.js";
import { plural } from "./numbers.js";

const skill = (name?: string) => (name ? `la habilidad «${name}»` : "una habilidad");

export const plugins: typeof english = {
  settingsChanged: (changes) => `Ajustes cambiados: ${changes}`,
  tools: { activate_skill: "cargar habilidades", read_file: "leer archivos" },
  toolOf: (server, tool) => `${server}: ${tool}`,
  setup: (skills, servers, rules) =>
    `Con ${[rules && plural(rules, "regla"), skills && plural(skills, "habilidad", "habilidades"), servers && plural(servers, "servidor", "servidores")].filter(Boolean).join(", ")}`,
  ruleRow: (number, text) => `Regla ${number}: ${text}`,
  skillRow: (name) => `Habilidad: ${name}`,
  serverRow: (name, tools) => `Servidor: ${name} · ${plural(tools, "herramienta")}`,
  requested: { tool: (name) => `Usar ${name}`, skill: (name) => `Cargar ${skill(name)}` },
  working: {
    tool: (name) => `Usando ${name}`,
    skill: (name) => `Cargando ${skill(name)}`,
    skillFile: (file, name) => `Leyendo ${file} de ${skill(name)}`,
  },
  done: {
    tool: (name) => `Usado: ${name}`,
    skill: (name) => `Cargado: ${skill(name)}`,
    skillFile: (file, name) => `Leído: ${file} de ${skill(name)}`,
  },
  failedTo: {
    tool: (name) => `${name} ha fallado`,
    skill: (name) => `No se ha podido cargar ${skill(name)}`,
    skillFile: (file, name) => `No se ha podido leer ${file} de ${skill(name)}`,
  },
  comments: {
    list_comments: [
      "Leer los comentarios",
      "Leyendo los comentarios",
      "Comentarios leídos",
      "No se han podido leer los comentarios",
    ],
    add_comment: [
      "Escribir un comentario",
      "Escribiendo un comentario",
      "Comentario escrito",
      "No se ha podido escribir un comentario",
    ],
    reply_to_comment: [
      "Responder a un comentario",
      "Respondiendo a un comentario",
      "Comentario respondido",
      "No se ha podido responder a un comentario",
    ],
    resolve_comment: [
      "Resolver un comentario",
      "Resolviendo un comentario",
      "Comentario resuelto",
      "No se ha podido resolver un comentario",
    ],
  },
  given: (name, value) => `${name}: ${value}`,
  values: { none: "ninguno", yes: "sí", no: "no", list: (parts) => parts.join(", ") },
  moreLines: (count) => `… y ${plural(count, "línea")} más`,
  resultImage: (number) => `Imagen ${number} del resultado`,
};
