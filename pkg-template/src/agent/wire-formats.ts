/** The wire formats of models: the only table of them in the package. */

import type { Api } from "../types/index.js";

export interface WireFormat {
  /** The name in settings. */
  readonly name: string;
  /** The base URL of the provider whose format it is. */
  readonly baseUrl: string;
  /** The path of the list of models, and the headers of its request. */
  readonly models: { readonly path: string; readonly headers: (key: string) => Record<string, string> };
  /** The provider in traces, as the semantic conventions of OpenTelemetry name it. */
  readonly provider: string;
}

const bearer = (key: string): Record<string, string> => (key ? { authorization: `Bearer ${key}` } : {});

export const wireFormats: Readonly<Record<Api, WireFormat>> = {
  "openai-completions": {
    name: "OpenAI Chat Completions",
    baseUrl: "https://api.openai.com/v1",
    models: { path: "/models", headers: bearer },
    provider: "openai",
  },
  "openai-responses": {
    name: "OpenAI Responses",
    baseUrl: "https://api.openai.com/v1",
    models: { path: "/models", headers: bearer },
    provider: "openai",
  },
  "anthropic-messages": {
    name: "Anthropic Messages",
    baseUrl: "https://api.anthropic.com",
    models: {
      path: "/v1/models?limit=1000",
      headers: (key) => ({
        "x-api-key": key,
        "anthropic-version": "2023-06-01",
        "anthropic-dangerous-direct-browser-access": "true",
      }),
    },
    provider: "anthropic",
  },
  "google-generative-ai": {
    name: "Google Generative AI",
    baseUrl: "https://generativelanguage.googleapis.com/v1beta",
    models: {
      path: "/models?pageSize=1000",
      headers: (key): Record<string, string> => (key ? { "x-goog-api-key": key } : {}),
    },
    provider: "gcp.gemini",
  },
};

export function isApi(name: unknown): name is Api {
  return typeof name === "string" && Object.hasOwn(wireFormats, name);
}
