// D5: insert after the last section appends; it works in a document with section 0 only, and at 0 where section 0 is empty.
import { h, hr, li, p, ul } from "../builders.mjs";
import { collector } from "../rules.mjs";

const { cases, whole } = collector("D5");

const title = (t) => t("Costs", "费用");
const text = (t) => t("Tea costs little.", "茶很便宜。");
const made = (t) => [h(2, title(t)), p(text(t))];
const call = (t, sectionIndex, content = `<p>${text(t)}</p>`) => ({
  operation: "insert",
  sectionIndex,
  title: title(t),
  content,
});

const intro = (t) => [h(1, t("Tea", "茶")), p(t("A leaf.", "一片叶子。"))];
const one = (t) => [h(2, t("Kinds", "种类")), ul(li(t("green", "绿茶")), li(t("black", "红茶")))];
const two = (t) => [h(2, t("Tools", "茶具")), p(t("A pot.", "一把壶。")), hr()];
const FORMS = { html: (t) => `<p>${text(t)}</p>`, text, markdown: (t) => `${text(t)}\n` };
const forms = (make) => (t) => Object.entries(FORMS).map(([form, write]) => ({ form, ...make(t, write(t)) }));

whole(
  "after the last of two sections",
  forms((t, content) => ({
    before: [...intro(t), ...one(t), ...two(t)],
    after: [...intro(t), ...one(t), ...two(t), ...made(t)],
    call: call(t, 3, content),
  })),
);
whole(
  "after the last of one section",
  forms((t, content) => ({
    before: [...intro(t), ...one(t)],
    after: [...intro(t), ...one(t), ...made(t)],
    call: call(t, 2, content),
  })),
);
whole(
  "in a document with section 0 only",
  forms((t, content) => ({ before: intro(t), after: [...intro(t), ...made(t)], call: call(t, 1, content) })),
);
whole("in a document of one paragraph", (t) => ({
  before: [p(t("A leaf.", "一片叶子。"))],
  after: [p(t("A leaf.", "一片叶子。")), ...made(t)],
  call: call(t, 1),
}));
whole(
  "at 0 where section 0 is empty",
  forms((t, content) => ({
    before: [...one(t), ...two(t)],
    after: [...made(t), ...one(t), ...two(t)],
    call: call(t, 0, content),
  })),
);
whole("at 1 where section 0 is empty", (t) => ({
  before: [...one(t), ...two(t)],
  after: [...made(t), ...one(t), ...two(t)],
  call: call(t, 1),
}));
whole("at 0 where section 0 has content", (t) => ({
  before: [...intro(t), ...one(t)],
  refused: true,
  call: call(t, 0),
}));
whole(
  "before the first section",
  forms((t, content) => ({
    before: [...intro(t), ...one(t)],
    after: [...intro(t), ...made(t), ...one(t)],
    call: call(t, 1, content),
  })),
);
whole("between two sections", (t) => ({
  before: [...intro(t), ...one(t), ...two(t)],
  after: [...intro(t), ...one(t), ...made(t), ...two(t)],
  call: call(t, 2),
}));
whole("far behind the last section", (t) => ({
  before: [...intro(t), ...one(t)],
  refused: true,
  codes: ["section_out_of_range"],
  call: call(t, 7),
}));
whole("at a negative index", (t) => ({ before: [...intro(t), ...one(t)], refused: true, call: call(t, -1) }));
whole("in an empty document", (t) => [
  { form: "at 0", before: [p()], anyOf: [made(t), [p(), ...made(t)]], call: call(t, 0) },
  {
    form: "append",
    before: [p()],
    anyOf: [made(t), [p(), ...made(t)]],
    call: { operation: "append", title: title(t), content: `<p>${text(t)}</p>` },
  },
]);

export default cases;
