/** Images shipped with the demo, returned in Openverse's format when Openverse cannot be reached. */

import images from "./images.json";

export function searchBundledImages(url: URL): Response {
  const query = (url.searchParams.get("q") ?? "").toLowerCase();
  const size = Number(url.searchParams.get("page_size")) || 3;
  const score = ({ keywords }: (typeof images)[number]) =>
    keywords
      .split(" ")
      .filter((word) => (/^[a-z]/.test(word) ? new RegExp(`\\b${word}`).test(query) : query.includes(word))).length;
  // The sort is stable: equal scores keep their order.
  const found = [...images].sort((a, b) => score(b) - score(a)).slice(0, size);
  const results = found.map(({ file, title: english, zh }) => {
    const title = document.documentElement.lang.startsWith("zh") ? zh : english;
    const imageUrl = new URL(`images/${file}`, document.baseURI).href;
    return {
      id: `copydesk-${file.replace(".svg", "")}`,
      title,
      url: imageUrl,
      thumbnail: imageUrl,
      creator: "copydesk demo",
      creator_url: new URL(".", document.baseURI).href,
      license: "cc0",
      license_version: "1.0",
      license_url: "https://creativecommons.org/publicdomain/zero/1.0/",
      provider: "copydesk",
      source: "copydesk",
      foreign_landing_url: imageUrl,
      width: 960,
      height: 600,
    };
  });
  return Response.json({ result_count: results.length, page_count: 1, page_size: size, page: 1, results });
}
