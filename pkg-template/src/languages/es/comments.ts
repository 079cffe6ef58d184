/** Textos de los comentarios. */

import type { commentTools as englishTools } from "../en/comment-tools.js";
import type { comments as english } from "../en/comments.js";

export const comments: typeof english = {
  ignored: (count) =>
    count === 1
      ? "No se puede mostrar un comentario de este documento. Quizá su autor use una versión posterior: recarga la página o pídele que lo escriba de nuevo."
      : `No se pueden mostrar ${count} comentarios de este documento. Quizá sus autores usen una versión posterior: recarga la página o pídeles que los escriban de nuevo.`,
  assistant: "Asistente",
};

export const commentTools: typeof englishTools = {
  tools: {
    list_comments:
      "Enumera los comentarios de personas y agentes sobre el documento, con sus líneas. Llámala antes de atender comentarios.",
    add_comment: "Añade un comentario sobre un texto del documento. No cambia el documento.",
    reply_to_comment:
      "Responde a un comentario. Si cambias el documento por el comentario, edita primero y responde después: el usuario acepta o rechaza ambas cosas juntas.",
    resolve_comment:
      "Marca como resuelto un comentario ya atendido, después de la edición. `text` es una respuesta que dice qué se ha hecho.",
  },
  readLines:
    "Devuelve líneas del documento con sus números y los comentarios sobre ellas. No puedes cambiar el documento.",
  startLine: "La primera línea, contando desde 1",
  endLine: "La última línea, incluida",
  includeResolved: "true para enumerar también los comentarios resueltos",
  line: "La línea del texto, contando desde 1",
  quote: "Las palabras de esta línea a las que se refiere el comentario. Por defecto, toda la línea",
  text: "El comentario, como texto sin formato",
  closing: "Una respuesta, como texto sin formato",
  id: "El id del comentario, de list_comments",
  comments: "Comentarios sobre estas líneas:",
  pending: "Se muestra cuando el usuario acepte tus cambios y se retira si los rechaza.",
  lost: "Esta edición elimina el texto de estos comentarios. Dilo en una respuesta, o restaura el texto si no era la intención.",
  noThread: (id, ids) =>
    `No hay ningún comentario ${id}. ${ids.length ? `Los comentarios son ${ids.join(", ")}.` : "El documento no tiene comentarios."}`,
  noLine: (line, lines) => `No hay ninguna línea ${line}. El documento tiene ${lines} líneas.`,
  noQuote: (quote, line, text) =>
    `No se ha encontrado «${quote}» en la línea ${line}, que es «${text}». Cita las palabras exactas de la línea.`,
  emptyLine: (line) => `La línea ${line} está vacía. Comenta una línea con texto.`,
  proposed: "Este texto es solo una propuesta. Comenta texto del documento, o espera a que se acepte el cambio.",
};
