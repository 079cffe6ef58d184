/** URLs of settings that are relative to the page. */

/** Returns settings whose base URLs are absolute: a worker would resolve them against its own URL. */
export function ofPage(settings: object): object {
  const { llmConfig, services, ...rest } = settings as Settings;
  const { web, images } = services ?? {};
  return {
    ...rest,
    ...(llmConfig && { llmConfig: { ...llmConfig, streamOptions: absolute(llmConfig.streamOptions) } }),
    ...(services && {
      services: { ...services, ...(web && { web: absolute(web) }), ...(images && { images: absolute(images) }) },
    }),
  };
}

type WithURL = { baseUrl?: unknown };
type Settings = { llmConfig?: { streamOptions?: WithURL }; services?: { web?: WithURL; images?: WithURL } };

function absolute(given: WithURL | undefined): WithURL | undefined {
  const base = globalThis.document?.baseURI;
  if (typeof given?.baseUrl !== "string" || !base || !URL.canParse(given.baseUrl, base)) return given;
  return URL.canParse(given.baseUrl) ? given : { ...given, baseUrl: new URL(given.baseUrl, base).href };
}
