/** Returns a random id. `crypto.randomUUID` exists in secure contexts only. */
export function newId(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
