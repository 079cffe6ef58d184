/** Por qué no se puede insertar o abrir un archivo. */

import type { insert as english } from "../en/insert.js";

export const insert: typeof english = {
  errors: {
    not_an_image: ({ name }) => `«${name}» no es una imagen.`,
    image_too_large: ({ name, limit }) => `«${name}» supera los ${Number(limit) / 1e6} MB. Redúcela antes.`,
    image_not_kept: () => "Este navegador no puede guardar imágenes de esta página. Usa una imagen de la web.",
    unsupported_file: ({ name }) =>
      `«${name}» no es una imagen ni un texto que se pueda abrir: Markdown (.md), HTML (.html) o texto sin formato (.txt).`,
    file_too_large: ({ name, limit }) => `«${name}» supera los ${Number(limit) / 1e6} MB.`,
    not_text: ({ name }) => `«${name}» no es un texto o su codificación es desconocida. Guárdalo como UTF-8.`,
  },
};
