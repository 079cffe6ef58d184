// What tests look at in a page with elements of copydesk/ui, in all shadow trees.

/** Defines the functions in a page, before it is loaded. */
export function looks() {
  const roots = (root) => [root, ...[...root.querySelectorAll("*")].flatMap(({ shadowRoot }) => (shadowRoot ? roots(shadowRoot) : []))];
  const all = (selector = "*") => roots(document).flatMap((root) => [...root.querySelectorAll(selector)]);
  const above = (node) => node.assignedSlot ?? node.parentElement ?? node.getRootNode().host ?? null;
  const isVisible = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const named = (element) => `${element.localName}.${element.className || element.getAttribute("part") || element.id} “${(element.textContent ?? "").trim().replace(/\s+/g, " ").slice(0, 40)}”`;
  const ancestors = (element) => {
    const found = [];
    for (let at = element; at; at = above(at)) found.push(at);
    return found;
  };
  const CONTROLS = "button, select, textarea, summary, input, a[href], [tabindex='0']";
  const inElements = (element) => ancestors(element).some(({ localName }) => localName.startsWith("copydesk-"));
  const controls = () => all(CONTROLS).filter((one) => isVisible(one) && inElements(one));
  /** The element that is the target of a control. */
  const target = (control) => (control.matches("[type=radio], [type=checkbox]") ? (control.closest("label") ?? control) : control);
  const scrolls = (element, axis) => /auto|scroll/.test(getComputedStyle(element)[`overflow${axis}`]);

  /** Returns the targets that are smaller than 24 px or out of the window. */
  window.misplaced = () =>
    controls().flatMap((control) => {
      // Links within a sentence have the height of its line, and the items of a menu scroll.
      if (control.matches("a, [tabindex='0']") || control.closest(".copydesk-menu")) return [];
      const { width, height, left, right } = target(control).getBoundingClientRect();
      return width < 23.9 || height < 23.9 || left < -0.5 || right > innerWidth + 0.5 ? [`${named(control)} ${width.toFixed(1)}×${height.toFixed(1)} at ${Math.round(left)}–${Math.round(right)}`] : [];
    });

  /** Returns the texts that cannot be read as a whole, and what scrolls sideways. Code, tables and menus may. */
  window.lost = () => {
    const found = [];
    for (const element of all()) {
      if (!inElements(element) || !isVisible(element)) continue;
      const style = getComputedStyle(element);
      const isHidden = (axis) => /hidden|clip/.test(style[`overflow${axis}`]);
      if (element.matches(".visually-hidden, pre, .copydesk-menu, .diff, textarea, input, select, .progress-line")) continue;
      if (ancestors(element).some((one) => one.matches?.(".visually-hidden"))) continue;
      const over = element.scrollWidth - element.clientWidth > 1 && element.clientWidth > 0;
      if (over && scrolls(element, "X")) found.push(`scrolls sideways: ${named(element)} ${element.scrollWidth} in ${element.clientWidth}`);
      // The whole text is in the name of a control around it.
      const isNamed = ancestors(element).some((one) => one.title || (one.matches?.(CONTROLS) && (one.matches("[aria-expanded]") || one.ariaLabel?.includes(element.textContent.trim()))));
      if (over && isHidden("X") && !isNamed) found.push(`is cut: ${named(element)} ${element.scrollWidth} in ${element.clientWidth}`);
      const below = element.scrollHeight - element.clientHeight > 2 && element.clientHeight > 0;
      if (below && isHidden("Y") && !isNamed && ![...element.children].some((one) => scrolls(one, "Y"))) found.push(`is cut below: ${named(element)} ${element.scrollHeight} in ${element.clientHeight}`);
    }
    const range = document.createRange();
    for (const root of roots(document)) {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const parent = node.parentElement ?? root.host;
        if (!node.data.trim() || !parent || parent.localName === "style" || !inElements(parent) || !isVisible(parent)) continue;
        if (ancestors(parent).some((one) => one.matches?.(".visually-hidden, pre, .copydesk-menu, .diff, select") || /hidden|clip/.test(getComputedStyle(one).overflowX))) continue;
        range.selectNodeContents(node);
        const { left, right } = range.getBoundingClientRect();
        if (left < -1 || right > innerWidth + 1) found.push(`is out of the window: ${named(parent)} at ${Math.round(left)}–${Math.round(right)}`);
      }
    }
    return found;
  };

  /** Returns the controls that lie over each other. */
  window.overlapping = () => {
    const layer = (one) => ancestors(one).find((at) => at.matches?.(":popover-open, dialog[open], .copydesk-actions")) ?? null;
    const shown = controls().filter((one) => !one.matches("[tabindex='0']") && !one.closest(".field-box"));
    /** What is in view of a control: it may be scrolled out of it. */
    const inView = (one) => {
      const { left, right, top, bottom } = target(one).getBoundingClientRect();
      const seen = { left, right, top, bottom };
      for (const box of ancestors(one).filter((at) => scrolls(at, "Y"))) {
        const around = box.getBoundingClientRect();
        seen.top = Math.max(seen.top, around.top);
        seen.bottom = Math.min(seen.bottom, around.bottom);
      }
      return seen;
    };
    const boxes = shown.map((one) => [one, inView(one), layer(one)]);
    const found = [];
    for (const [at, [one, a, over]] of boxes.entries())
      for (const [other, b, otherLayer] of boxes.slice(at + 1)) {
        if (over !== otherLayer || target(one).contains(other) || target(other).contains(one)) continue;
        const [width, height] = [Math.min(a.right, b.right) - Math.max(a.left, b.left), Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)];
        if (width > 1 && height > 1) found.push(`${named(one)} and ${named(other)} by ${width.toFixed()}×${height.toFixed()}`);
      }
    return found;
  };

  /** Returns the element with the focus. */
  window.focusedNow = () => {
    let at = document.activeElement;
    while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
    return at;
  };

  /** Returns the enabled controls that keys have not reached, of those in the layer on top. Menus have one stop, and arrows. */
  window.visited = new Set();
  window.visit = () => {
    const at = focusedNow();
    const isNew = !visited.has(at);
    visited.add(at);
    const isMarked = (one) => {
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(one);
      return (outlineStyle !== "none" && outlineWidth !== "0px") || boxShadow !== "none";
    };
    const around = ancestors(at).some((one) => one.matches?.(".composer-box") && isMarked(one));
    const isSeen = isMarked(at) || around || !inElements(at);
    return { isNew, unseen: isSeen ? null : named(at), isBody: at === document.body };
  };
  window.unvisited = () =>
    controls()
      .filter((one) => !one.disabled && !visited.has(one) && one.tabIndex >= 0 && !ancestors(one).some(({ inert }) => inert))
      .filter((one) => !(one.type === "radio" && [...visited].some((other) => other.type === "radio" && other.name === one.name && other.getRootNode() === one.getRootNode())))
      .map(named);

  /** Returns the names of the animations and transitions under way. */
  window.moving = () => roots(document).flatMap((root) => root.getAnimations()).map((one) => one.animationName ?? one.transitionProperty);

  /** Returns the parts and slots of the elements that are shown, by the names of the elements. */
  window.anatomy = () => {
    const seen = {};
    for (const element of all()) {
      if (!element.localName.startsWith("copydesk-") || !element.shadowRoot) continue;
      const { parts, slots } = (seen[element.localName] ??= { parts: [], slots: [] });
      for (const one of element.shadowRoot.querySelectorAll("[part], [exportparts], slot")) {
        parts.push(...one.part, ...(one.getAttribute("exportparts") ?? "").split(",").map((pair) => pair.split(":").at(-1).trim()).filter(Boolean));
        if (one.localName === "slot") slots.push(one.name);
      }
    }
    return Object.fromEntries(Object.entries(seen).map(([name, { parts, slots }]) => [name, { parts: [...new Set(parts)], slots: [...new Set(slots)] }]));
  };

  /** Returns how what is in the elements is painted and spaced. */
  window.painted = () => {
    const PROPERTIES = ["color", "backgroundColor", "borderTopColor", "outlineColor", "boxShadow", "stroke", "fontSize", "fontFamily", "borderTopLeftRadius", "paddingLeft", "paddingTop", "gap"];
    return all().flatMap((element) => {
      if (!element.getRootNode().host || !isVisible(element)) return [];
      const style = getComputedStyle(element);
      return PROPERTIES.map((name) => `${name}: ${style[name]}`);
    });
  };

  /** Adds a stylesheet to all shadow trees. */
  window.adopt = (text) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    for (const root of roots(document)) root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
    return () => void roots(document).forEach((root) => (root.adoptedStyleSheets = root.adoptedStyleSheets.filter((one) => one !== sheet)));
  };
}
