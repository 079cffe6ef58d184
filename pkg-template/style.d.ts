/** A style sheet has no values; bundlers apply it. */
export {};
