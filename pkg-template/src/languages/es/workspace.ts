/** Errores de las áreas de trabajo. */

import type { workspace as english } from "../en/workspace.js";

export const workspace: typeof english = {
  errors: {
    file_not_found: ({ path }) => `No hay ningún archivo ${path}. Enumera los archivos para ver sus rutas.`,
    directory_not_found: ({ path }) => `No hay ninguna carpeta ${path}. Créala o corrige la ruta.`,
    invalid_path: ({ path, reason }) =>
      `${path} no es una ruta válida: ${reason}. Usa una ruta relativa, como chapters/ch001.md.`,
    permission_denied: ({ path }) =>
      `No se puede acceder a ${path}: falta el permiso o se ha retirado. Permite de nuevo el acceso a la carpeta.`,
    file_protected: ({ path }) =>
      `Solo el usuario escribe ${path}: tiene reglas o pertenece a una habilidad. Cámbialo en el área de trabajo.`,
    not_text: ({ path }) =>
      `${path} no es un texto: contiene un NUL o no está en UTF-8, UTF-16 con marca de orden de bytes ni GB 18030. ` +
      "Si es un texto, guárdalo en UTF-8.",
    not_encodable: ({ path, encoding, characters }) =>
      `${path} no se ha escrito: ${encoding}, su codificación, ` +
      (characters ? `no tiene ${characters}. Reemplaza estos caracteres` : "cambiaría bytes de su texto anterior") +
      ". El usuario puede guardarlo antes en UTF-8.",
    file_too_large: ({ path, size, limit }) => `${path} tiene ${size} bytes; el máximo es ${limit}. Divide el archivo.`,
    file_exists: ({ path }) => `${path} ya existe. Elige otra ruta, o léelo y escríbelo con su versión.`,
    file_changed: ({ path }) => `${path} ha cambiado mientras tanto. Léelo de nuevo y repite el cambio.`,
    version_not_found: ({ path, id }) =>
      `${path} no tiene ninguna versión ${id}. Enumera sus versiones para ver sus ids.`,
    storage_full: ({ path }) =>
      `${path} no se ha escrito: no queda espacio de almacenamiento. Libera espacio e inténtalo de nuevo.`,
    storage_failed: ({ path, reason }) =>
      `El almacenamiento ha fallado en ${path}: ${reason}. Inténtalo de nuevo o recarga la página.`,
    search_timeout: ({ pattern, ms }) =>
      `La búsqueda de ${pattern} se ha detenido después de ${ms} ms. Usa un patrón más sencillo o busca en menos archivos.`,
    invalid_pattern: ({ pattern, reason }) =>
      `${pattern} no es una expresión regular válida: ${reason}. Corrígela o búscala como texto sin formato.`,
    search_unavailable: ({ reason }) =>
      `Las expresiones regulares necesitan un worker que se pueda detener, y no se ha cargado: ${reason}. Busca texto sin ` +
      "formato, o da un worker al agente o al índice (docs/workspace.md).",
    zip_damaged: ({ path }) =>
      `${path} no se puede descomprimir: el archivo zip está dañado o cifrado. Comprímelo de nuevo sin contraseña.`,
    // Without a path files were packed.
    zip_too_large: ({ path, size, limit, unit }) =>
      path === undefined
        ? `Los archivos no se han comprimido: son más de ${limit}, y ninguna importación los leería. Copia su carpeta.`
        : `${path} no se ha descomprimido: tiene ${size} ${unit === "bytes" ? "bytes" : "entradas"} (el máximo es ${limit}). ` +
          "Descomprímelo en el disco e importa una parte.",
    zip_is_document: ({ path, format }) =>
      `${path} no se ha descomprimido: es un documento (${format}), no una carpeta de textos. Guárdalo como Markdown o texto ` +
      "sin formato en su programa, o conviértelo, e importa el resultado.",
    instruction_skipped: ({ path }) =>
      `${path} no se ha importado: los agentes lo siguen como instrucción. Léelo e impórtalo por su nombre si te fías de su autor.`,
    disposed: ({ path }) => `El área de trabajo ${path} se ha cerrado. Ábrela de nuevo.`,
  },
  reasons: {
    notText: "no es un texto",
    empty: "está vacía",
    halfCharacter: "contiene medio carácter",
    absolute: "es absoluta",
    drive: "nombra una unidad",
    long: (limit) => `supera ${limit} bytes`,
    emptyPart: "una parte entre dos / está vacía",
    contains: (part) => `contiene ${part}`,
    containsPart: (part) => `contiene la parte ${part}`,
    dotFirst: (part) => `${part} empieza por un punto`,
    control: "contiene un carácter de control",
    dotLast: (part) => `${part} termina en un punto o un espacio`,
    spaceFirst: "una parte empieza por un espacio",
    device: (part) => `${part} es el nombre de un dispositivo en Windows`,
    longPart: (limit) => `una parte supera ${limit} bytes`,
    storedForm: "su nombre está guardado en una forma que no se puede pedir",
    folder: (path) => `${path} es una carpeta`,
    file: (path) => `${path} es un archivo, no una carpeta`,
    damaged: "sus datos guardados están dañados",
  },
};
