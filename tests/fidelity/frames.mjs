// Realistic documents with a slot for the blocks that a case is about. A frame returns its blocks before and after the slot.
import {
  bold,
  br,
  code,
  details,
  done,
  h,
  head,
  hr,
  img,
  italic,
  li,
  link,
  math,
  mention,
  ol,
  olFrom,
  p,
  pre,
  quote,
  table,
  td,
  th,
  todo,
  tasks,
  tr,
  ul,
} from "./builders.mjs";

const CHART = "https://example.com/chart.png";

/** Around(before, after): the slot's blocks between them, at the top level. */
const around = (before, after) => ({
  before,
  after,
  wrap: (slot) => [...before, ...slot, ...after],
  slot: { path: [], at: before.length },
});

const FRAMES = {
  // A slot in the second section of an ordinary article.
  article: (t) =>
    around(
      [
        h(1, t("A book of tea", "茶之书")),
        p(
          t("Tea is, after ", "茶是仅次于"),
          link({ href: "https://example.com/water", target: "_blank" }, t("water", "水")),
          t(", the ", "的，世界上"),
          bold(t("most drunk", "饮用最多")),
          t(" thing in the world.", "的饮品。"),
        ),
        h(2, t("Where it comes from", "起源")),
        p(t("The plant grows on hills where mornings are misty.", "茶树生长在清晨多雾的山坡上。")),
      ],
      [
        p(t("Nobody knows who first put leaves into hot water.", "没有人知道是谁第一个把叶子放进热水里。")),
        h(2, t("What it needs", "需要什么")),
        ul(
          li(t("a pot with a lid", "一把带盖的壶")),
          li(
            p(t("cups", "几只杯子")),
            ul(li(t("two for guests", "两只待客")), li(t("one for the cook", "一只给厨师"))),
          ),
        ),
        p(t("Nothing else is needed.", "别的都不需要。")),
      ],
    ),
  // A slot between a table and an image.
  report: (t) =>
    around(
      [
        h(1, t("Sales in spring", "春季销售")),
        p(t("Written by ", "撰稿："), mention("u1", t("Ann Lee", "李安")), t(" on Monday.", "，星期一。")),
        h(2, t("Numbers", "数字")),
        table(
          tr(head({ colwidth: [120] }, t("Month", "月份")), head({ colwidth: [80] }, t("Sold", "销量"))),
          tr(cellOf(120, t("March", "三月")), cellOf(80, "1,204")),
          tr(cellOf(120, t("April", "四月")), cellOf(80, "1,377")),
        ),
      ],
      [
        img(CHART, { alt: t("Bars that grow", "上升的柱状图"), title: t("Chart", "图表"), width: 640, height: 360 }),
        h(2, t("How it was counted", "统计方法")),
        pre("sql", "select month, sum(sold)\nfrom sales\ngroup by month"),
        p(t("Rounded with ", "按 "), math("\\lfloor x \\rfloor"), t(".", " 取整。")),
      ],
    ),
  // A slot in minutes: section 0 is empty.
  minutes: (t) =>
    around(
      [
        h(2, t("Minutes of the week", "本周纪要")),
        tasks(
          done(t("Book the room", "预订会议室")),
          todo(
            p(t("Ask the suppliers", "询问供应商")),
            tasks(todo(t("in Fujian", "福建的")), todo(t("in Assam", "阿萨姆的"))),
          ),
        ),
      ],
      [
        quote(
          p(t("“A meeting is a tax on everybody.”", "“会议是对所有人征的税。”")),
          p(italic(t("an unknown manager", "一位佚名经理"))),
        ),
        hr(),
        p(t("Next time: ", "下次："), code("2026-12-01"), t(", the small room.", "，小会议室。")),
      ],
    ),
  // The slot is the beginning of the document.
  first: (t) =>
    around(
      [],
      [
        p(t("So much for the beginning.", "开头就是这些。")),
        h(2, t("Steps", "步骤")),
        olFrom(3, li(t("Warm the pot.", "温壶。")), li(t("Add the leaves.", "投茶。"))),
        p(t("Wait three minutes.", "等三分钟。")),
      ],
    ),
  // The slot is the end of the document.
  last: (t) =>
    around(
      [
        h(1, t("Handbook", "手册")),
        p(),
        h(2, t("Questions", "问答")),
        details(
          t("May I use milk?", "可以加牛奶吗？"),
          p(t("In black tea, yes.", "红茶可以。")),
          ul(li(t("never in green tea", "绿茶千万不要"))),
        ),
        hr(),
      ],
      [],
    ),
  // A slot between empty paragraphs and sentences that resemble each other.
  twins: (t) =>
    around(
      [
        p(t("The shop opens at nine on weekdays.", "商店工作日九点开门。")),
        p(),
        p(t("The shop opens at ten on Saturdays.", "商店周六十点开门。")),
        p(t("It is closed", "休息"), br, t("on holidays.", "：节假日。")),
      ],
      [
        p(t("The shop closes at six on weekdays.", "商店工作日六点关门。")),
        p(),
        p(t("The shop closes at four on Saturdays.", "商店周六四点关门。")),
      ],
    ),
  // The slot is inside a quotation.
  quoted: (t) => {
    const head = [h(1, t("Letters", "书信")), p(t("He wrote:", "他写道："))];
    const tail = [
      p(t("Nobody answered.", "没有人回信。")),
      h(2, t("Later", "后来")),
      p(t("A year passed.", "一年过去了。")),
    ];
    const [before, after] = [p(t("Dear friend,", "亲爱的朋友：")), p(t("Yours, a reader", "读者敬上"))];
    return {
      before: [...head, before],
      after,
      wrap: (slot) => [...head, quote(before, ...slot, after), ...tail],
      slot: { path: [head.length], at: 1 },
    };
  },
  // Two headings of each level down to 4, with the slot below the deepest.
  deep: (t) =>
    around(
      [
        h(1, t("Guide", "指南")),
        h(2, t("Brewing", "冲泡")),
        h(3, t("Water", "水")),
        p(t("Soft water is best.", "软水最好。")),
        h(4, t("Hard water", "硬水")),
      ],
      [
        h(4, t("Bottled water", "瓶装水")),
        p(t("It costs too much.", "太贵了。")),
        h(3, t("Leaves", "茶叶")),
        ol(li(t("Loose leaves", "散茶")), li(t("Bags", "茶包"))),
        h(2, t("Serving", "上茶")),
        p(t("With a smile.", "面带微笑。")),
      ],
    ),
  // The slot is a section of its own, between others.
  chapters: (t) =>
    around(
      [
        h(1, t("Tea at work", "办公室的茶")),
        p(t("A short guide for colleagues.", "给同事的简短指南。")),
        h(2, t("The kitchen", "茶水间")),
        p(t("The kettle stands by the window.", "水壶在窗边。")),
      ],
      [
        h(2, t("Rules", "规定")),
        ol(li(t("Wash your cup.", "洗干净自己的杯子。")), li(t("Empty the pot.", "倒空茶壶。"))),
        h(2, t("Costs", "费用")),
        table(
          tr(th(t("Tea", "茶")), th(t("Price", "价格"))),
          tr(t("Green", "绿茶"), "€ 12"),
          tr(t("Black", "红茶"), "€ 9"),
        ),
      ],
    ),
};

function cellOf(width, text) {
  const made = td(text);
  return { ...made, attrs: { colwidth: [width] } };
}

export const frameNames = Object.keys(FRAMES);

/** Returns a frame of a language. `t(en, zh)` selects the words. */
export const frame = (name, t) => FRAMES[name](t);
