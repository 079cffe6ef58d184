/** Elements that speak the words of the panels. */

import { CopydeskElement } from "./element.js";
import { panelWordsFor, type PanelWords } from "./words/panels.js";

export abstract class PanelElement extends CopydeskElement {
  /** The words in the language of the element. */
  protected get m(): PanelWords {
    return panelWordsFor(this.language, this.words);
  }
}
