/** `<copydesk-checks>`: the checks of a story. A finding opens its file at the line. */
import type { CheckKind, CheckReport, Finding } from "copydesk/workspace";
import { PanelElement, messageOf } from "./element";
import { h, set } from "./h";
import { Reading } from "./reading";
import { showSkipped } from "./skipped";
import type { Words } from "./words";

const KINDS: readonly CheckKind[] = ["timeline", "references"];

export class ChecksPanel extends PanelElement {
  private run = h("button", { type: "button", class: "copydesk-button main" });
  private hint = h("p", { class: "copydesk-hint" });
  private status = h("p", { class: "copydesk-status", role: "status" });
  private reading = new Reading();
  private skipped = h("details", { class: "copydesk-skipped" });
  private list = h("div", { class: "copydesk-results" });
  private reports: Map<CheckKind, CheckReport> | null = null;
  private checkedIn = "";
  private asked = 0;

  protected build(): void {
    this.run.addEventListener("click", () => void this.check());
    this.append(this.hint, this.run, this.status, this.reading.element, this.skipped, this.list);
  }

  protected draw(words: Words): void {
    this.run.textContent = words.runChecks;
    this.hint.textContent = words.checksHint;
    this.drawReports(words);
    if (!this.reports) this.status.textContent = "";
    // The messages of findings come from the check.
    if (this.reports && this.checkedIn !== this.language) void this.check();
  }

  protected changed(): void {
    if (this.reports) this.status.textContent = this.words.stale;
  }

  protected override forget(): void {
    this.asked++;
    this.reports = null;
    this.reading.end();
    set(this.run, { "aria-busy": undefined });
  }

  /** Runs both checks and shows their findings. */
  async check(): Promise<void> {
    const { workspace } = this;
    if (!workspace) return;
    const asked = ++this.asked;
    this.checkedIn = this.language;
    this.status.textContent = this.words.checking;
    set(this.run, { "aria-busy": "true" });
    try {
      const reports = new Map<CheckKind, CheckReport>();
      const progress = this.reading.begin(this.words);
      for (const kind of KINDS) reports.set(kind, await workspace.check(kind, this.checkedIn, { progress }));
      if (asked !== this.asked) return;
      this.reports = reports;
      this.drawReports(this.words);
      this.status.textContent = this.summary(this.words);
    } catch (error) {
      if (asked === this.asked) this.status.textContent = messageOf(error);
    } finally {
      if (asked === this.asked) {
        set(this.run, { "aria-busy": undefined });
        this.reading.end();
      }
    }
    // The language was switched meanwhile.
    if (asked === this.asked && this.reports && this.checkedIn !== this.language) await this.check();
  }

  private summary(words: Words): string {
    const all = [...(this.reports?.values() ?? [])];
    const open = (list: Finding[]) => list.filter(({ waived }) => !waived).length;
    const errors = all.reduce((sum, report) => sum + open(report.errors), 0);
    const warnings = all.reduce((sum, report) => sum + open(report.warnings), 0);
    const total = all.reduce((sum, report) => sum + report.errors.length + report.warnings.length, 0);
    return words.findings(errors, warnings, total - errors - warnings);
  }

  private drawReports(words: Words): void {
    const parts = [...(this.reports ?? [])].flatMap(([kind, { errors, warnings }]) => {
      const findings = [
        ...errors.map((finding) => ({ finding, severity: "error" as const })),
        ...warnings.map((finding) => ({ finding, severity: "warning" as const })),
      ];
      // What the writer accepted comes last.
      findings.sort((a, b) => Number(a.finding.waived ?? false) - Number(b.finding.waived ?? false));
      return [
        h("h3", { class: "copydesk-folder" }, words[kind]),
        findings.length
          ? h("ul", {}, ...findings.map(({ finding, severity }) => this.row(finding, severity, words)))
          : h("p", { class: "copydesk-hint" }, words.noFindings),
      ];
    });
    // Both checks read the same files.
    const last = [...(this.reports?.values() ?? [])].at(-1);
    showSkipped(this.skipped, last?.skipped, words, words.notChecked);
    this.list.replaceChildren(...parts);
  }

  private row(finding: Finding, severity: "error" | "warning", words: Words): HTMLElement {
    const { file, line, text, message, waived } = finding;
    const button = h(
      "button",
      { type: "button", class: "copydesk-finding", "data-severity": severity, "data-waived": waived ?? false },
      h(
        "span",
        { class: "copydesk-finding-kind" },
        waived ? words.waived : severity === "error" ? words.error : words.warning,
      ),
      h("span", { class: "copydesk-finding-message" }, message),
      h("span", { class: "copydesk-finding-place" }, `${file}, ${words.line(line)}`),
      h("q", { class: "copydesk-line" }, text.trim()),
    );
    button.addEventListener("click", () => this.open({ path: file, line }));
    return h("li", {}, button);
  }
}
