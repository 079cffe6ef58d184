/** Articles: built-in ones, and a template for any other topic, which states that it is one. */
import type { Language } from "./intent";

export interface ArticleSection {
  title: string;
  /** HTML without the heading. */
  content: string;
}

export interface Article {
  names: string[];
  title: string;
  /** Keywords of the image search. */
  keywords: string;
  intro: string;
  sections: ArticleSection[];
}

/** A search result. */
export interface Source {
  title: string;
  url: string;
  content: string;
}

/** The built-in articles of the languages that are loaded. */
const articles: Partial<Record<Language, Article[]>> = {};

/** Loads the built-in articles of a language. */
export async function loadArticles(language: Language): Promise<void> {
  articles[language] ??=
    language === "zh" ? (await import("./topics-zh")).chinese : (await import("./topics-en")).english;
}

/** Returns a built-in article, if `loadArticles` has loaded it. */
export function builtInArticle(topic: string, language: Language): Article | undefined {
  const name = topic.toLowerCase().replace(/^(the|a|an)\s+/, "");
  return articles[language]?.find(({ names }) =>
    names.some((candidate) => candidate === name || candidate === topic.toLowerCase()),
  );
}

/** Returns an article with `count` sections: shortened, or completed from the template. */
export function articleOn(topic: string, language: Language, count: number, sources: Source[]): Article {
  const article = builtInArticle(topic, language) ?? templateArticle(topic, language, sources);
  const more = templateSections(topic, language).filter(
    ({ title }) => !article.sections.some((section) => section.title === title),
  );
  return { ...article, sections: [...article.sections, ...more].slice(0, count) };
}

/** Returns paragraphs on a topic, each as HTML: those of a built-in article, then those of the template. */
export function paragraphsOn(topic: string, language: Language): string[] {
  const sections = [...(builtInArticle(topic, language)?.sections ?? []), ...templateSections(topic, language)];
  return sections.flatMap(({ content }) => content.match(/<p>(?:(?!<\/p>).)*<\/p>/g)?.slice(0, 1) ?? []);
}

export function escapeHtml(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");
}

/** "old books" → "Old Books". */
export function titleCase(topic: string): string {
  const small = new Set(["a", "an", "and", "at", "by", "for", "in", "of", "on", "or", "the", "to"]);
  return topic
    .split(/\s+/)
    .map((word, at) => (at && small.has(word) ? word : word.charAt(0).toUpperCase() + word.slice(1)))
    .join(" ");
}

function templateArticle(topic: string, language: Language, sources: Source[]): Article {
  const sections = templateSections(topic, language);
  const found = sources.filter((source) => source.content.trim() && /^https?:/.test(source.url)).slice(0, 3);
  const safe = escapeHtml(topic);
  if (found.length) {
    const cited = found
      .map(
        ({ title, url, content }) =>
          `<li><p>${escapeHtml(sentence(content))} (<a href="${escapeHtml(url)}">${escapeHtml(title)}</a>)</p></li>`,
      )
      .join("");
    const lead = language === "zh" ? `关于${safe}，查到的资料这样说：` : `This is what a search on ${safe} found:`;
    sections[0] = { title: sections[0]!.title, content: `<p>${lead}</p><ul>${cited}</ul>` };
  }
  return language === "zh"
    ? {
        names: [topic],
        title: `说说${topic}`,
        keywords: topic,
        intro: `<p>人人都听说过${safe}，说得清楚的人却不多。这篇短文先看它是什么，再看它从何而来、与我们有什么关系，最后留下几个值得追问的问题。</p>`,
        sections,
      }
    : {
        names: [topic],
        title: titleCase(topic),
        keywords: topic,
        intro: `<p>Most people have met ${safe}; few could say in a minute what it is about. This short article looks at the subject from a few sides: what it is, how it came to be as it is, and what it means from day to day.</p>`,
        sections,
      };
}

function sentence(text: string): string {
  const clean = text
    .replace(/<[^>]*>/g, "")
    .replace(/\s+/g, " ")
    .trim();
  return clean.length > 220 ? `${clean.slice(0, 220).replace(/\s+\S*$/, "")}…` : clean;
}

/** Returns eight sections that fit any topic and say where facts are missing. */
function templateSections(topic: string, language: Language): ArticleSection[] {
  const t = escapeHtml(topic);
  const T = escapeHtml(topic.charAt(0).toUpperCase() + topic.slice(1));
  if (language === "zh") {
    return [
      {
        title: `什么是${topic}`,
        content: `<p>要谈${t}，先得划定范围。哪些算在里面，哪些不算，内行与外行的说法往往不同。一个好用的办法是从身边的例子说起，再看这些例子有什么共同之处。</p><p>定义不必一步到位。读者先有一个大致的轮廓，后面的章节再把它填实。</p>`,
      },
      {
        title: "来历与变化",
        content: `<p>${t}今天的样子不是一天形成的。每一步变化，多半是为了解决当时的某个难处，也顺手留下了新的难处。顺着时间往回看，许多看似奇怪的地方便有了缘由。</p><p>此处适合补上年代、人物和出处。</p>`,
      },
      {
        title: "与我们的关系",
        content: `<p>${t}离日常并不远。它影响我们怎样安排时间、怎样花钱、怎样与人相处，只是平时不大留意。</p><ul><li><p>谁每天都会碰到它？</p></li><li><p>没有它，会缺少什么？</p></li><li><p>它让什么变得更容易，又让什么变得更难？</p></li></ul>`,
      },
      {
        title: "常见的误解",
        content: `<p>关于${t}，流传的说法有真有假。最顽固的误解往往带着一点道理，所以才难以纠正。遇到说得太满的结论，不妨问一句：依据是什么？</p>`,
      },
      {
        title: "怎样入门",
        content: `<p>想了解${t}，不必等准备齐全。先做一件小事，记下哪里顺利、哪里卡住，再去请教有经验的人，比读十本书更快。</p>`,
      },
      {
        title: "实际的例子",
        content: `<p>道理要落到例子上才站得住。选一个自己见过的、与${t}有关的例子，写清时间、地点和经过，读者自会得出结论。</p>`,
      },
      {
        title: "争论与不同看法",
        content: `<p>围绕${t}，认真的人也会有分歧。把双方最有力的理由并排放在一起，比急着选边更有用。</p>`,
      },
      {
        title: "接下来会怎样",
        content: `<p>预测总有风险，但有些方向已经看得出来。${t}会随着使用它的人一起变化；值得留意的，是那些正在悄悄改变的习惯。</p>`,
      },
    ];
  }
  return [
    {
      title: `${titleCase(topic)} at a Glance`,
      content: `<p>To write about ${t}, one has to say first what belongs to it and what does not. Experts and newcomers seldom draw that line in the same place. A good way in is to begin with things close at hand and to ask what they have in common.</p><p>The definition need not be perfect at once. A rough outline is enough to start with; the sections that follow fill it in.</p>`,
    },
    {
      title: "How It Came to Be",
      content: `<p>${T} did not take its present form in a day. Each change answered some difficulty of its time, and left a new one behind. Seen backwards, much that looks odd today turns out to have had a reason.</p><p>This is the place for dates, names and sources.</p>`,
    },
    {
      title: "What It Means from Day to Day",
      content: `<p>The subject is nearer than it seems. It shapes how people spend their time and money and how they deal with one another, mostly without being noticed.</p><ul><li><p>Who meets with ${t} every day?</p></li><li><p>What would be missing without it?</p></li><li><p>What does it make easier, and what harder?</p></li></ul>`,
    },
    {
      title: "Common Misunderstandings",
      content: `<p>Much of what is said about ${t} is half true, which is why it lasts. When a claim sounds too round, it helps to ask what it rests on, and who has looked.</p>`,
    },
    {
      title: "How to Begin",
      content: `<p>Nobody needs to be fully prepared to begin with ${t}. Do one small thing, note what went well and where it stuck, and ask somebody with experience. That is faster than ten books.</p>`,
    },
    {
      title: "An Example",
      content: `<p>Ideas stand on examples. Choose one about ${t} that you have seen yourself, tell when and where it happened and how it went, and readers will draw the conclusion on their own.</p>`,
    },
    {
      title: "Where Opinions Differ",
      content: `<p>Serious people disagree about ${t}. Setting the best arguments of both sides next to each other does more than hurrying to choose one.</p>`,
    },
    {
      title: "What Comes Next",
      content: `<p>Forecasts are risky, yet some directions can be seen already. What happens to ${t} will depend on those who use it, and on habits that are changing quietly now.</p>`,
    },
  ];
}
