/** Numbers and plurals of Spanish. */

export const { format: grouped } = new Intl.NumberFormat("es");

/** Returns a number with the noun in its form. */
export const plural = (n: number, one: string, many = `${one}s`) => `${grouped(n)} ${n === 1 ? one : many}`;
