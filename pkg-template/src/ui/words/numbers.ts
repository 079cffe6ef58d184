/** Numbers with the separators of each language. */

export const { format: englishNumber } = new Intl.NumberFormat("en");
export const { format: chineseNumber } = new Intl.NumberFormat("zh-CN");
