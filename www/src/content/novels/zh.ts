/** The Chinese sample novel. */
export const files = import.meta.glob<string>("./zh/**/*.md", { query: "?raw", import: "default", eager: true });
