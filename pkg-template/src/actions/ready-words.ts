/** The words of the ready actions and blocks in languages that are added. */

/** The name of an action or a block, and the text of an action for the model. */
export interface ReadyWords {
  readonly label: string;
  readonly instruction?: string;
}

/** The words of all ready actions and blocks, by their ids. */
export type ActionTable = Readonly<Record<string, ReadyWords>>;
