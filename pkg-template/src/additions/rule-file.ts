/** Rules in the files of a workspace, as users see them. */

/** A file whose text is a rule. */
export interface RuleFile {
  path: string;
  text: string;
  /** The user's consent to a file of a folder; absent for the user's own files, which need none. */
  consent?: "asked" | "given" | "refused";
}
