/** Spanish words of the details of a tool row. */

import type { RowDetailWords } from "../../ui/words/row-details-en.js";
import { plural } from "./numbers.js";

export const rowDetails: RowDetailWords = {
  reasons: {
    rejected: "No has permitido este cambio.",
    stale: "El texto ha cambiado mientras tanto. Se queda como está.",
    tool_blocked: "Esta página no lo permite.",
    not_run: "La ejecución se detuvo antes de este paso.",
  },
  showInDocument: "Mostrar en el documento",
  verdicts: { accepted: "Aceptado", rejected: "Rechazado" },
  formattingOnly: "Formato",
  moreChanges: (count) => `${plural(count, "cambio")} más`,
};
