/** Por qué no se puede usar algo que ha añadido el usuario. */

import type { additions as english } from "../en/additions.js";

export const additions: typeof english = {
  notLoaded: "Esta parte de la página no se ha podido cargar. Comprueba la red e inténtalo de nuevo.",
  skills: "Escribe la URL de un repositorio o de una carpeta, sin contraseña, o una carpeta de tus archivos.",
  servers: "Escribe la URL de un servidor y un nombre con letras, cifras, guiones y guiones bajos.",
};
