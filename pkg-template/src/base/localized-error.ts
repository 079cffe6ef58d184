/** Failures whose sentences exist in all languages. */

/** A failure with a sentence in each language, by language tag. */
export class LocalizedError extends Error {
  override name = "LocalizedError";

  constructor(
    readonly texts: Readonly<{ en: string; "zh-CN": string; [tag: string]: string | undefined }>,
    options?: ErrorOptions,
  ) {
    super(texts.en, options);
  }
}
