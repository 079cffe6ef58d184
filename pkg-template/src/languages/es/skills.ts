/** Fallos y observaciones de las habilidades. */

import type { skills as english } from "../en/skills.js";

export const skills: typeof english = {
  problems: {
    skill_unreachable: ({ origin, reason }) =>
      `No se han podido cargar las habilidades de ${origin}: ${reason}. Comprueba la URL y la red, y actualiza la fuente.`,
    skill_timeout: ({ origin, ms }) =>
      `Las habilidades de ${origin} no han llegado en ${ms} ms. Actualiza la fuente para intentarlo de nuevo.`,
    skill_late: ({ origin, ms }) =>
      `Las habilidades de ${origin} siguen cargándose después de ${ms} ms. El agente continúa sin ellas.`,
    skill_cors: ({ origin, host }) =>
      `No se han podido cargar las habilidades de ${origin}: ${host} responde, pero no deja que las páginas lean sus ` +
      "respuestas (CORS: falta Access-Control-Allow-Origin). Usa un servidor que lo permita o, para un repositorio git, un `corsProxy`.",
    skill_denied: ({ origin, status }) =>
      `No se han podido cargar las habilidades de ${origin}: se ha denegado el acceso (${status}). Usa una fuente pública ` +
      "o añade la autorización en la opción `fetch`.",
    skill_rate_limited: ({ origin, host }) =>
      `No se han podido cargar las habilidades de ${origin}: ${host} no admite más peticiones por ahora. Actualiza la fuente ` +
      "más tarde.",
    skill_not_found: ({ origin }) => `La fuente ${origin} no se ha encontrado o no es pública. Comprueba su URL.`,
    skill_ref_not_found: ({ origin, ref }) =>
      `${origin} no tiene ninguna rama, etiqueta o confirmación ${ref}, o no es público. Comprueba \`ref\` y la URL.`,
    skill_missing: ({ origin, path }) =>
      `${origin} no tiene ninguna habilidad en ${path || "su raíz"}: no hay SKILL.md ni README.md. Comprueba \`path\`.`,
    skill_invalid: ({ origin, path, reason }) =>
      `Se ha omitido la habilidad ${path} de ${origin}: ${reason}. Corrige allí el archivo.`,
    skill_too_large: ({ origin, what, limit, unit }) =>
      `Se ha omitido ${what} de ${origin}: supera ${limit} ${unit}. Elige una parte menor con \`path\` o aumenta el límite.`,
    skill_html: ({ origin, path }) =>
      `${origin} ha respondido con una página web en lugar de ${path}: quizá haya que iniciar sesión. Usa la URL de los ` +
      "propios archivos.",
    skill_not_git: ({ origin, reason }) =>
      `${origin} no ha respondido como un servidor git: ${reason}. Comprueba la URL y que el repositorio se pueda clonar por HTTP.`,
    skill_redirected: ({ origin, to }) => `${origin} redirige a ${to}, otro servidor. Si te fías de él, usa su URL.`,
    skill_library_missing: ({ origin, name, reason }) =>
      `No se han podido cargar las habilidades de ${origin}: falta el paquete ${name} (${reason}). Instálalo: ` +
      `npm install ${name}.`,
    skill_no_workspace: ({ origin }) =>
      `No se han podido cargar las habilidades de ${origin}: el agente no tiene área de trabajo. Dale una o usa una URL.`,
    skill_duplicate: ({ origin, name, first }) =>
      `Se ha omitido la habilidad ${name} de ${origin}: ${first} tiene una con ese nombre. Cambia el nombre de una o desactívala.`,
    skill_adapted: ({ origin, path, reason }) =>
      `La habilidad ${path} de ${origin} incumple una regla del formato: ${reason}.`,
    skill_files_skipped: ({ origin, name, count, reason }) =>
      `No se pueden leer ${count} archivos de la habilidad ${name} de ${origin}: ${reason}.`,
    skill_not_stored: ({ origin, reason }) =>
      `Las habilidades de ${origin} funcionan, pero no se han podido guardar: ${reason}. Se descargarán de nuevo tras el ` +
      "próximo inicio.",
  },
  reasons: {
    noEnd: "sus metadatos no tienen final: falta una línea ---",
    noMatter: "no tiene metadatos",
    noLetters: (name) => `su nombre ${name} no tiene letras minúsculas ni cifras (a-z, 0-9)`,
    renamed: (given, name) => `el nombre ${given} ha pasado a ser ${name}`,
    named: (name) => `no tiene nombre; se llama ${name}`,
    otherFolder: (name, folder) => `su nombre ${name} no es el de su carpeta ${folder}`,
    noDescription: "no tiene descripción ni ningún párrafo del que tomarla",
    firstParagraph: "no tiene descripción; se usa su primer párrafo",
    cut: (limit) => `su descripción se ha recortado a ${limit} caracteres`,
    noInstructions: "no tiene instrucciones después de los metadatos",
    inLfs: "se guarda en Git LFS, que no se lee",
    longMatter: (limit) => `sus metadatos superan ${limit} caracteres`,
    readOneByOne: (names) =>
      `sus metadatos no son YAML válido; sus campos se han leído uno a uno${names && `, como texto sin formato: ${names}`}`,
    unreadableMatter: (reason) => `sus metadatos no se pueden leer (${reason})`,
    symbolicLink: (path) => `${path} es un enlace simbólico`,
    notUtf8: "no es un texto en UTF-8",
    notJSON: (host) => `${host} no ha respondido con JSON`,
    redirects: "redirige demasiadas veces",
    noAnswer: (host) => `${host} no responde`,
    answered: (host, answer) => `${host} ha respondido ${answer}`,
    noCommit: "el servidor no indica ninguna confirmación",
  },
  skipped: {
    link: "son enlaces simbólicos, que no se siguen",
    submodule: "son submódulos, que no se cargan",
    path: "sus rutas no son válidas",
    number: "la habilidad tiene más archivos de los permitidos (`maxFiles`)",
    size: "superan el límite de bytes (`maxBytes`)",
    lfs: "se guardan en Git LFS, que no se lee",
  },
  things: { skills: "la lista de habilidades", files: "la lista de archivos", content: "el contenido" },
  units: { bytes: "bytes", skills: "habilidades", entries: "entradas" },
};
