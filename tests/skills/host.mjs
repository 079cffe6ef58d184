// An agent, as a plugin sees it.

/** Returns a host that keeps what a plugin provides and reports. */
export function fakeHost({ workspace, locale = "en" } = {}) {
  return {
    locale,
    workspace,
    logger: undefined,
    notices: [],
    contribution: { skills: [] },
    provided: 0,
    provide(contribution) {
      this.provided++;
      this.contribution = contribution;
    },
    notice(code, message) {
      this.notices.push({ code, message });
    },
    get names() {
      return this.contribution.skills.map(({ name }) => name);
    },
    get codes() {
      return this.notices.map(({ code }) => code);
    },
  };
}

/** Resolves when `holds()` is true for a plugin. */
export function until(plugin, holds, ms = 10_000) {
  return new Promise((resolve, reject) => {
    const check = () => {
      if (!holds()) return;
      clearTimeout(timer);
      end();
      resolve();
    };
    const timer = setTimeout(() => (end(), reject(new Error(`not reached: ${JSON.stringify(plugin.list)}`))), ms);
    const end = plugin.subscribe(check);
    check();
  });
}

export const never = new AbortController().signal;
