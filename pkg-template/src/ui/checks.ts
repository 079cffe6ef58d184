/** `<copydesk-checks>`. */

import { html, nothing, type TemplateResult } from "lit";
import type { CheckKind, CheckReport, Finding } from "../types/workspace-host.js";
import { checksStyle } from "./checks-style.js";
import { define } from "./element.js";
import { panelStyle, workspaceStyle } from "./panel-styles.js";
import { ReadingElement } from "./reading-element.js";
import { base } from "./styles.js";

const KINDS: readonly CheckKind[] = ["timeline", "references"];

/** The reports by the kind of the check, and the language that their messages have. */
interface Reports {
  all: ReadonlyMap<CheckKind, CheckReport>;
  lang: string;
}

/**
 * The checks of a story: its days and dates, and its setups and references. A finding opens its file at the line.
 *
 * @tagname copydesk-checks
 * @fires {CustomEvent<{ path: string, line?: number }>} open-file - The user wants to see the line of a finding.
 * @slot missing - Shown while `workspace` is missing.
 * @csspart hint - What the checks find.
 * @csspart run - The button that runs the checks.
 * @csspart status - The number of findings, or why there are none.
 * @csspart progress - How many files were read.
 * @csspart skipped - The files that were not checked.
 * @csspart heading - The name of a check.
 * @csspart finding - A finding.
 * @csspart kind - How severe a finding is.
 * @csspart message - What was found.
 * @csspart location - The file and line of a finding.
 * @csspart line - The text of the line.
 * @csspart empty - Shown while `workspace` is missing.
 */
export class CopydeskChecks extends ReadingElement<Reports> {
  static override styles = [base, panelStyle, workspaceStyle, checksStyle];

  /** Runs both checks and shows their findings. */
  async check(): Promise<void> {
    const { lang } = this.m;
    await this.show(async (workspace, progress) => {
      const all = new Map<CheckKind, CheckReport>();
      for (const kind of KINDS) all.set(kind, await workspace.check(kind, lang, { progress }));
      return { all, lang };
    });
  }

  protected override updated(): void {
    // The messages of findings come from the check.
    if (this.result && this.result.lang !== this.m.lang && !this.isReading && !this.problem) void this.check();
  }

  protected override render(): TemplateResult {
    const { m, result: reports } = this;
    if (!this.workspace) return this.empty();
    const all = [...(reports?.all ?? [])];
    // Both checks read the same files.
    const skipped = all.at(-1)?.[1].skipped;
    return html`<div lang=${m.lang}>
      <p class="hint" part="hint">${m.checks.hint}</p>
      <button
        type="button"
        class="button small"
        part="run"
        aria-busy=${this.isReading}
        .textContent=${m.checks.run}
        @click=${() => void this.check()}
      ></button>
      <p class="status" part="status" role="status" .textContent=${this.#status()}></p>
      ${this.reading()} ${this.skipped(skipped, m.checks.skipped)}
      ${all.map(([kind, report]) => this.#report(kind, report))}
    </div>`;
  }

  #status(): string {
    const { m, result: reports } = this;
    if (this.isReading) return m.checks.running;
    if (this.problem) return this.said(this.problem);
    if (!reports) return "";
    return this.isStale ? m.workspace.stale : this.#summary([...reports.all.values()]);
  }

  #summary(reports: readonly CheckReport[]): string {
    const count = (listOf: (report: CheckReport) => readonly Finding[]) =>
      reports.reduce((sum, report) => sum + listOf(report).length, 0);
    const isOpen = ({ waived }: Finding) => !waived;
    const errors = count((report) => report.errors.filter(isOpen));
    const warnings = count((report) => report.warnings.filter(isOpen));
    const total = count(({ errors, warnings }) => [...errors, ...warnings]);
    return this.m.checks.summary(errors, warnings, total - errors - warnings);
  }

  #report(kind: CheckKind, { errors, warnings }: CheckReport): TemplateResult {
    const { m } = this;
    const findings = [
      ...errors.map((finding) => ({ finding, severity: "error" as const })),
      ...warnings.map((finding) => ({ finding, severity: "warning" as const })),
    ];
    // What the writer accepted comes last.
    findings.sort((a, b) => Number(a.finding.waived ?? false) - Number(b.finding.waived ?? false));
    return html`<h3 class="heading" part="heading">${m.checks[kind]}</h3>
      ${
        findings.length
          ? html`<ul>
              ${findings.map(({ finding, severity }) => this.#finding(finding, severity))}
            </ul>`
          : html`<p class="hint">${m.checks.noFindings}</p>`
      }`;
  }

  #finding({ file, line, text, message, waived }: Finding, severity: "error" | "warning"): TemplateResult {
    const m = this.m.checks;
    return html`<li>
      <button
        type="button"
        class="finding"
        part="finding"
        data-severity=${severity}
        data-waived=${waived ? "" : nothing}
        @click=${() => this.open({ path: file, line })}
      >
        <span class="finding-kind" part="kind">${waived ? m.waived : m[severity]}</span>
        <span class="finding-message" part="message">${message}</span>
        <span class="finding-location" part="location">${file}, ${this.m.workspace.line(line)}</span>
        <q class="line" part="line">${text.trim()}</q>
      </button>
    </li>`;
  }
}

define("copydesk-checks", CopydeskChecks);

declare global {
  interface HTMLElementTagNameMap {
    "copydesk-checks": CopydeskChecks;
  }
}
