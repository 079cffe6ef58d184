/** Images shipped with the demo, returned in Openverse's format when Openverse cannot be reached. */

interface BundledImage {
  file: string;
  title: string;
  /** Title in Chinese. */
  zh: string;
  keywords: string;
}

const images: BundledImage[] = [
  {
    file: "tea.svg",
    title: "A teapot and a cup of green tea",
    zh: "茶壶与一杯绿茶",
    keywords: "tea teapot green drink leaf cup 茶 茶壶 绿茶 饮料",
  },
  {
    file: "coffee.svg",
    title: "A cup of coffee with rising steam",
    zh: "一杯冒着热气的咖啡",
    keywords: "coffee cup espresso cafe drink beans 咖啡 杯子",
  },
  {
    file: "bicycle.svg",
    title: "A bicycle on a quiet road",
    zh: "安静路上的自行车",
    keywords: "bicycle bike cycling wheel transport road 自行车 单车 骑行",
  },
  {
    file: "mountain.svg",
    title: "Mountains at sunrise above a lake",
    zh: "湖上群山的日出",
    keywords: "mountain landscape nature lake sunrise travel hiking water river 山 风景 自然 湖 水",
  },
  {
    file: "book.svg",
    title: "An open book beside a lamp",
    zh: "灯下摊开的书",
    keywords: "book reading library writing study history 书 阅读 图书 历史 学习",
  },
  {
    file: "city.svg",
    title: "A city by the river at dusk",
    zh: "黄昏的河畔城市",
    keywords: "city town street architecture skyline house 城市 街道 建筑",
  },
];

export function searchBundledImages(url: URL): Response {
  const query = (url.searchParams.get("q") ?? "").toLowerCase();
  const size = Number(url.searchParams.get("page_size")) || 3;
  const score = ({ keywords }: BundledImage) =>
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
