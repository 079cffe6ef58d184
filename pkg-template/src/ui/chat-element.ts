/** Elements that speak the words of the conversation. */

import { CopydeskElement } from "./element.js";
import { wordsFor, type Words } from "./words/index.js";

export abstract class ChatElement extends CopydeskElement {
  /** The words in the language of the element. */
  protected get m(): Words {
    return wordsFor(this.language, this.words);
  }
}
