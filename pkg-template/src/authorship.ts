/** Authorship: which text of a document agents wrote, and who accepted it. */

export type { AuthorshipCarrier, StoredAuthorship } from "./authorship/carrier.js";
export {
  Authorship,
  authorshipOf,
  followAuthor,
  type AuthorshipOptions,
  type AuthorshipStorage,
} from "./authorship/extension.js";
export { disclosureOf, toDisclosedHTML, withDisclosure } from "./authorship/disclosure.js";
export type { AuthoredRange } from "./authorship/record.js";
export type { Disclosure } from "./authorship/summary.js";
