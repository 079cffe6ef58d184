/** Pictures shipped with the demo, given out in Openverse's shape when Openverse cannot be reached. */

interface Drawing {
  file: string;
  title: string;
  /** The title for a page in Chinese. */
  zh: string;
  words: string;
}

const drawings: Drawing[] = [
  { file: "tea.svg", title: "A teapot and a cup of green tea", zh: "茶壶与一杯绿茶", words: "tea teapot green drink leaf cup 茶 茶壶 绿茶 饮料" },
  { file: "coffee.svg", title: "A cup of coffee with rising steam", zh: "一杯冒着热气的咖啡", words: "coffee cup espresso cafe drink beans 咖啡 杯子" },
  { file: "bicycle.svg", title: "A bicycle on a quiet road", zh: "安静路上的自行车", words: "bicycle bike cycling wheel transport road 自行车 单车 骑行" },
  { file: "mountain.svg", title: "Mountains at sunrise above a lake", zh: "湖上群山的日出", words: "mountain landscape nature lake sunrise travel hiking water river 山 风景 自然 湖 水" },
  { file: "book.svg", title: "An open book beside a lamp", zh: "灯下摊开的书", words: "book reading library writing study history 书 阅读 图书 历史 学习" },
  { file: "city.svg", title: "A city by the river at dusk", zh: "黄昏的河畔城市", words: "city town street architecture skyline house 城市 街道 建筑" },
];

export function answerFromDrawings(url: URL): Response {
  const asked = (url.searchParams.get("q") ?? "").toLowerCase();
  const size = Number(url.searchParams.get("page_size")) || 3;
  const score = ({ words }: Drawing) =>
    words.split(" ").filter((word) => (/^[a-z]/.test(word) ? new RegExp(`\\b${word}`).test(asked) : asked.includes(word))).length;
  // The sort is stable: what fits equally well keeps its order.
  const found = [...drawings].sort((a, b) => score(b) - score(a)).slice(0, size);
  const results = found.map(({ file, title: english, zh }) => {
    const title = document.documentElement.lang.startsWith("zh") ? zh : english;
    const address = new URL(`pictures/${file}`, document.baseURI).href;
    return {
      id: `copydesk-${file.replace(".svg", "")}`,
      title,
      url: address,
      thumbnail: address,
      creator: "copydesk demo drawings",
      creator_url: new URL(".", document.baseURI).href,
      license: "cc0",
      license_version: "1.0",
      license_url: "https://creativecommons.org/publicdomain/zero/1.0/",
      provider: "copydesk",
      source: "copydesk",
      foreign_landing_url: address,
      width: 960,
      height: 600,
    };
  });
  return Response.json({ result_count: results.length, page_count: 1, page_size: size, page: 1, results });
}
