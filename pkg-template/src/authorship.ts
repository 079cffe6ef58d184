/** Authorship: which text of a document agents wrote, and who accepted it. */

export type { AuthorshipCarrier, StoredAuthorship } from "./authorship/carrier.js";
export {
  Authorship,
  authorshipOf,
  followAuthor,
  type AuthoredRange,
  type AuthorshipOptions,
  type AuthorshipStorage,
} from "./authorship/extension.js";
export { disclosureOf, toDisclosedHTML, withDisclosure, type Disclosure } from "./authorship/disclosure.js";
