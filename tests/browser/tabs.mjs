// Tabs that tests use one after another. A tab that has loaded a page before loads it again in a third of the time: its process
// and its cache remain. Each test has a new document in it, and nothing is stored. A tab in which a test has changed what
// cannot be taken back is closed.

/** The number of tabs that wait for a test. */
const MOST_FREE = 6;
/** Methods whose effects on later pages are not known, or are not taken back. */
const LASTING = {
  clock: ["install", "pauseAt", "setFixedTime", "setSystemTime"],
  page: ["routeFromHAR", "routeWebSocket", "addLocatorHandler", "setExtraHTTPHeaders", "setDefaultTimeout", "setDefaultNavigationTimeout"],
  context: [
    ...["routeFromHAR", "routeWebSocket", "setExtraHTTPHeaders", "setDefaultTimeout", "setDefaultNavigationTimeout"],
    ...["grantPermissions", "newCDPSession", "setGeolocation", "setHTTPCredentials", "setOffline"],
  ],
};
const MEDIA = { media: null, colorScheme: "light", reducedMotion: "no-preference", forcedColors: "none", contrast: "no-preference" };

/** The tabs that no test uses, by browser, with the options of their contexts. */
const free = new Map();

/** Returns a tab of a context with these options: `page`, and `giveBack()` for the end of the test. */
export async function takeTab(browser, options) {
  const key = JSON.stringify(options);
  const tabs = free.get(browser) ?? [];
  free.set(browser, tabs);
  const at = tabs.findLastIndex((tab) => tab.key === key);
  const tab = at < 0 ? await openTab(browser, options, key) : tabs.splice(at, 1)[0];
  const taken = observe(tab);
  return {
    page: tab.page,
    async giveBack() {
      if (!(await taken.reset())) return tab.context.close();
      tabs.push(tab);
      if (tabs.length > MOST_FREE) await tabs.shift().context.close();
    },
  };
}

/** Returns a tab as `takeTab` does, which nothing has used, and which is closed at the end of the test. */
export async function openOwnTab(browser, options) {
  const { context, page } = await openTab(browser, options);
  return { page, giveBack: () => context.close() };
}

async function openTab(browser, options, key) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  return { key, options, context, page, devtools: await context.newCDPSession(page) };
}

/** Notes what a test changes in a tab. `reset` takes it back, and returns false if that is not possible. */
function observe({ context, page, options, devtools }) {
  let isLasting = false;
  const back = [];
  const own = [];
  /** Has a method call `note` with its result and its arguments until the reset. */
  const wrap = (target, name, note) => {
    const method = target[name];
    target[name] = (...args) => {
      const result = method.apply(target, args);
      note(result, ...args);
      return result;
    };
    own.push([target, name]);
  };
  const lasts = () => (isLasting = true);
  const lasting = [[page, LASTING.page], [context, LASTING.context], [page.clock, LASTING.clock], [page.keyboard, ["down"]], [page.mouse, ["down"]]];
  for (const [target, names] of lasting) for (const name of names) wrap(target, name, lasts);
  for (const target of [page, context]) {
    for (const name of ["addInitScript", "exposeBinding", "exposeFunction"]) wrap(target, name, (made) => back.push(async () => (await made).dispose()));
    wrap(target, "route", () => back.push(() => target.unrouteAll({ behavior: "ignoreErrors" })));
    for (const name of ["on", "once", "addListener", "prependListener"])
      wrap(target, name, (_, event, listener) => back.push(() => target.removeListener(event, listener)));
  }
  wrap(page, "setViewportSize", () => back.push(() => page.setViewportSize(options.viewport)));
  wrap(page, "emulateMedia", () => back.push(() => page.emulateMedia({ ...MEDIA, ...options })));
  return {
    async reset() {
      for (const [target, name] of own) delete target[name];
      if (isLasting || page.isClosed()) return false;
      try {
        await Promise.all(context.pages().map((other) => other !== page && other.close()));
        await Promise.all(back.map((take) => take()));
        await page.goto("about:blank");
        await page.mouse.move(0, 0);
        await devtools.send("Storage.clearDataForOrigin", { origin: "*", storageTypes: "all" });
        return true;
      } catch {
        // The tab has crashed, or its page does not answer.
        return false;
      }
    },
  };
}
