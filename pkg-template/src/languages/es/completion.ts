/** Palabras de las sugerencias en el cursor. */

import type { completion as english } from "../en/completion.js";

export const completion: typeof english = {
  instruction:
    "Completas la línea que está escribiendo un autor. Se te da el texto anterior y posterior al cursor. Responde solo con las pocas palabras siguientes, que continúen exactamente en el cursor y terminen la frase como muy tarde: en el idioma, el tono y el tiempo verbal del texto, sin comillas, sin repetir lo que ya está, sin explicaciones. Empieza con un espacio si empieza una palabra nueva y no hay ninguno antes del cursor. Si nada encaja, no respondas nada.",
  suggestion: (text) => `Sugerencia: «${text}» Tab la acepta.`,
};
