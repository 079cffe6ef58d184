/** Palabras sobre los adjuntos. */

import type { attachmentSentences as english } from "../en/attachment-sentences.js";
import type { AttachmentWords } from "../../ui/words/attachments-en.js";
import { plural } from "./numbers.js";

export const attachments: AttachmentWords = {
  attachments: {
    list: "Adjuntos",
    reading: "Leyendo…",
    tokens: (tokens) => `unos ${plural(tokens, "token")}`,
    total: (tokens) => `En total unos ${plural(tokens, "token")}`,
    remove: (name) => `Quitar «${name}»`,
    dismiss: "Aceptar",
    attached: (name, size) => `Adjunto: «${name}»${size ? `, ${size}` : ""}`,
    removed: (name) => `Quitado: «${name}»`,
    choose: "Qué adjuntar",
    found: (count) => plural(count, "sugerencia"),
    fromDevice: "Un archivo de este dispositivo…",
    kinds: { selection: "Selección", section: "Sección", file: "Archivo", text: "Texto", image: "Imagen" },
    sectionNumber: (number) => (number ? `Sección ${number}` : "Introducción"),
  },
};

export const attachmentSentences: typeof english = {
  note: "El usuario ha adjuntado al próximo mensaje:",
  problems: {
    attachment_too_large: "«{}» es demasiado grande para adjuntarlo. Adjunta una parte.",
    attachment_too_many: "«{}» no se ha adjuntado: un mensaje tiene como máximo 20 adjuntos. Quita uno antes.",
    attachment_not_supported: "«{}» es de un tipo que no se puede leer aquí. Adjunta su texto.",
    attachment_unreadable: "No se ha podido leer «{}»: quizá esté dañado. Adjunta otra copia.",
    attachment_empty: "«{}» no tiene texto. Adjunta una imagen de él.",
    attachment_missing: "«{}» ya no está. Elígelo otra vez.",
  },
};
