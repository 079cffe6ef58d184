// Texts of the random documents: sentences of several domains in English, German and Chinese, with signs that are text.

const SENTENCES = {
  en: [
    "The pump shuts down when the pressure drops below two bars.",
    "Ask the landlord for a receipt before the deposit is paid.",
    "Patients with a fever are seen on the same day.",
    "Our budget for travel was cut by 12 % in spring.",
    "Each sample is cooled to 4 °C and weighed twice.",
    "The court dismissed the claim because the deadline had passed.",
    "Simmer the lentils until they are soft, then add salt.",
    "Nobody answered the door, although a light was burning upstairs.",
    "A deploy takes nine minutes if the cache is warm.",
    "The formula 2 * 3 * 4 gives the area of both walls.",
    "Set snake_case_name in the config before the first run.",
    "Outside it was - 5 °C and the harbour lay still.",
    "Posts with #tag or #summer are counted once a week.",
    "The fee is $5 for members and $8 for guests.",
    "Use <name> as a placeholder for the customer.",
    "Delivery costs 10–15 € (see note 3) within the city.",
    "If x < 5 and y > 3, the valve stays shut.",
    "The bakery opens at six & closes when the bread is gone.",
    "Call the nurse on +49 30 1234 after midnight.",
    "Volunteers plant about ~200 trees along the river.",
    "Students hand in the essay by Friday, 14:30.",
    "He said “wait” and closed the heavy gate.",
    "The drawer holds 1) keys, 2) stamps and 3) string.",
    "Minutes of the meeting were sent to every member.",
  ],
  de: [
    "Der Vertrag endet mit Ablauf des dritten Monats.",
    "Bitte prüfen Sie die Rechnung vor der Überweisung.",
    "Die Probe wird auf 4 °C gekühlt und zweimal gewogen.",
    "Am Abend läuft der Zug über die alte Brücke.",
    "Zutaten: Mehl, Butter und eine Prise Salz.",
    "Das Gerät meldet einen Fehler, wenn der Druck fällt.",
    "Der Ausschuss vertagt die Entscheidung auf Juni.",
    "Draußen waren es - 5 °C, und der Hafen lag still.",
    "Der Preis beträgt 19,90 € für Schüler & Lehrlinge.",
    "Die Variable max_wert_a wird beim Start gelesen.",
    "Niemand wusste, wohin der Bote geritten war.",
    "Die Formel 2 * 3 * 4 ergibt die Fläche der Wände.",
  ],
  zh: [
    "合同期满前三十天应当书面通知对方。",
    "水泵在压力低于两巴时自动停止。",
    "请在周五之前提交实验报告。",
    "今年春天差旅预算减少了百分之十二。",
    "样品冷却到 4 °C 以后称重两次。",
    "他推开窗户，看见远处的灯塔亮着。",
    "会员票价五元，游客票价八元。",
    "法院认为原告的请求没有依据。",
    "先把扁豆煮软，然后加入少量食盐。",
    "志愿者沿着河岸种植了两百棵树。",
    "公式 2 * 3 * 4 给出两面墙的面积。",
    "护士每隔四小时测量一次体温。",
  ],
};

// Parts of further sentences: every choice of one of each is a sentence.
const PARTS = {
  en: [
    [
      "The nurse",
      "Our landlord",
      "A second pump",
      "The archive",
      "Every tenant",
      "The night train",
      "My neighbour",
      "This valve",
      "The committee",
      "An old lighthouse",
    ],
    [
      " checks",
      " repairs",
      " needs",
      " describes",
      " pays for",
      " forgets",
      " replaces",
      " counts",
      " draws",
      " delivers",
    ],
    [
      " the copper pipes",
      " a list of 12 names",
      " two boxes of apples",
      " the yearly report",
      " item_no_7",
      " a room with a view",
      " the missing key",
      " 3 % of the cost",
    ],
    [
      " before noon.",
      " without a word.",
      " in the cellar, as always.",
      " on behalf of the city.",
      " (see note 4).",
      " after the storm.",
      " twice a week; nobody knows why.",
      " for $20 or less.",
    ],
  ],
  de: [
    [
      "Die Ärztin",
      "Unser Vermieter",
      "Eine zweite Pumpe",
      "Das Archiv",
      "Jeder Mieter",
      "Der Nachtzug",
      "Dieses Ventil",
      "Der Ausschuss",
    ],
    [" prüft", " ersetzt", " braucht", " beschreibt", " bezahlt", " vergisst", " zählt", " liefert"],
    [
      " die Kupferrohre",
      " eine Liste mit 12 Namen",
      " zwei Kisten Äpfel",
      " den Jahresbericht",
      " den fehlenden Schlüssel",
      " 3 % der Kosten",
    ],
    [
      " vor dem Mittag.",
      " ohne ein Wort.",
      " im Keller, wie immer.",
      " im Auftrag der Stadt.",
      " (siehe Anlage 4).",
      " nach dem Sturm.",
    ],
  ],
  zh: [
    ["护士", "房东", "第二台水泵", "档案馆", "每位租客", "夜班火车", "这个阀门", "委员会", "老灯塔"],
    ["检查了", "修理了", "需要", "描述了", "忘记了", "更换了", "清点了", "送来了"],
    ["铜制水管", "十二人的名单", "两箱苹果", "年度报告", "丢失的钥匙", "百分之三的费用"],
    [
      "，一切正常。",
      "，没有说一句话。",
      "，就在地下室里。",
      "（见附件四）。",
      "，因为暴风雨已经过去。",
      "，每周两次。",
    ],
  ],
};

const TITLES = {
  en: [
    "Safety rules",
    "Costs and fees",
    "Before you start",
    "Results of the trial",
    "C# and other languages",
    "Open questions",
    "Notice period",
    "A walk to the harbour",
    "Release notes",
    "Who does what",
    "Water & power",
    "Storage",
  ],
  de: [
    "Kündigung",
    "Kosten und Gebühren",
    "Vor dem Start",
    "Ergebnisse der Messung",
    "Offene Fragen",
    "Lagerung",
    "Der Weg zum Hafen",
    "Wer macht was",
  ],
  zh: ["安全规定", "费用说明", "开始之前", "测量结果", "未决问题", "储存方法", "通往港口的路", "任务分工"],
};

const ITEMS = {
  en: [
    "two spare valves",
    "gloves and goggles",
    "a copy of the lease",
    "one litre of milk",
    "backup of the database",
    "travel by train",
    "blood pressure at noon",
    "signature of both parties",
    "rope, 20 m",
    "keys for room 12",
    "a list of witnesses",
    "tickets for snake_case talks",
    "red onions",
    "invoice for March",
    "photo of the meter",
    "a quiet place to read",
  ],
  de: [
    "zwei Ersatzventile",
    "Handschuhe und Brille",
    "eine Kopie des Vertrags",
    "ein Liter Milch",
    "Sicherung der Datenbank",
    "Schlüssel für Raum 12",
    "rote Zwiebeln",
    "Rechnung für März",
    "Foto des Zählers",
    "ein ruhiger Platz",
  ],
  zh: [
    "两个备用阀门",
    "手套和护目镜",
    "租约复印件",
    "一升牛奶",
    "数据库备份",
    "十二号房间的钥匙",
    "红洋葱",
    "三月的发票",
    "水表照片",
    "安静的角落",
  ],
};

const WORDS = {
  en: [
    "window",
    "careful",
    "seldom",
    "bridge",
    "copper",
    "winter",
    "gently",
    "market",
    "paper",
    "second",
    "orange",
    "meadow",
    "engine",
    "silver",
    "lantern",
    "twelve",
    "garden",
    "velvet",
    "morning",
    "pocket",
  ],
  de: [
    "Fenster",
    "sorgsam",
    "selten",
    "Brücke",
    "Kupfer",
    "Winter",
    "leise",
    "Markt",
    "Papier",
    "zweite",
    "Wiese",
    "Motor",
    "Laterne",
    "Garten",
  ],
  zh: ["窗户", "小心", "桥梁", "铜器", "冬季", "市场", "纸张", "草地", "马达", "灯笼", "花园", "早晨", "口袋", "丝绒"],
};

const CODE = {
  js: [
    "const total = items.length * 2;",
    "if (a < b && b > c) {",
    "  return a;",
    "}",
    "// # not a heading",
    "let snake_case = `x`;",
    "- 1;",
    "export default total;",
  ],
  python: ["def area(w, h):", "    return w * h", "# a comment", "print(area(2, 3))", "x = [1, 2, 3]", "__all__ = []"],
  sql: ["select month, sum(sold)", "from sales", "where price > 5", "group by month"],
};

/** Texts of a document in one language; no two of its texts are equal. */
export function textsOf(random) {
  const language = random.pick(["en", "en", "de", "zh"]);
  const used = new Set();
  const gap = language === "zh" ? "" : " ";
  const fresh = (make) => {
    for (let tries = 0; ; tries += 1) {
      let text = make();
      if (tries > 20) text = `${text}${gap}${used.size + 100}`;
      if (used.has(text)) continue;
      used.add(text);
      return text;
    }
  };
  const sentence = () =>
    random.chance(0.4) ? random.pick(SENTENCES[language]) : PARTS[language].map((parts) => random.pick(parts)).join("");
  const freshSentence = () => fresh(sentence);
  return {
    language,
    gap,
    sentence: freshSentence,
    paragraph: () => random.times(1, 3, freshSentence).join(gap),
    title: () => fresh(() => random.pick(TITLES[language])),
    item: () => fresh(() => (random.chance(0.5) ? sentence() : random.pick(ITEMS[language]))),
    cell: () => (random.chance(0.4) ? `${random.below(90) + 10}` : fresh(() => random.pick(ITEMS[language]))),
    word: () => random.pick(WORDS[language]),
    code(name) {
      return random.times(1, 4, () => random.pick(CODE[name] ?? CODE.js));
    },
  };
}

/** Languages of code blocks that there are lines for. */
export const CODE_LANGUAGES = Object.keys(CODE);
