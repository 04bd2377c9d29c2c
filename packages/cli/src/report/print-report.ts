import { counted } from "@cm/terminal-text";
import { limits } from "../limits.ts";
import type { Output } from "../output/output.ts";
import { wrappedLines } from "../output/wrapped-lines.ts";
import { countText } from "../requests/request-words.ts";
import { heaviestOutputs } from "./heaviest-outputs.ts";
import { agentName, type ReportColumn, reportColumns, sessionName } from "./report-columns.ts";
import { findings, whatCmIs, whatHappenedToData } from "./report-findings.ts";
import type { ReportTerms } from "./report-terms.ts";
import type { SessionReport } from "./session-report.ts";

export interface PrintedOn {
  readonly output: Output;
  /** Columns of the terminal; undefined where it is none. */
  readonly columns: number | undefined;
}

/** A report for people in a terminal: what was found, the table, what its columns mean. */
export async function printReport(
  reports: readonly SessionReport[],
  terms: ReportTerms,
  { output, columns: width }: PrintedOn,
): Promise<void> {
  const isBrief = (width ?? limits.wideColumnsMin) < limits.wideColumnsMin;
  const text = new Paragraphs(output, Math.min(width ?? limits.reportTextColumns, limits.reportTextColumns));
  const columns = reportColumns(reports, terms).filter(({ wide }) => !(isBrief && wide && terms.price !== undefined));
  await text.say("", whatCmIs);
  await output.line("");
  for (const { basis, text: found } of findings(reports, terms)) await text.say(basis, found);
  await output.line("");
  await printTable(reports, columns, { terms, output, isBrief });
  await output.line("");
  for (const { title, basis, meaning } of columns) await text.say(title, `${meaning} (${basis})`);
  await printHeaviest(reports, output, text);
  await output.line("");
  await text.say("", whatHappenedToData);
}

async function printTable(
  reports: readonly SessionReport[],
  columns: readonly ReportColumn[],
  { terms, output, isBrief }: { readonly terms: ReportTerms; readonly output: Output; readonly isBrief: boolean },
): Promise<void> {
  const rows = reports.map((report) => [
    sessionName(report),
    ...(isBrief ? [] : [agentName(report)]),
    ...columns.map(({ cell }) => cell(report, terms)),
  ]);
  const total = [
    `all ${counted(reports.length, "session")}`,
    ...(isBrief ? [] : [""]),
    ...columns.map(({ total: cell }) => cell(reports, terms)),
  ];
  await output.table(
    [
      { title: "session", shrinks: true },
      ...(isBrief ? [] : [{ title: "agent" }]),
      ...columns.map(({ title }) => ({ title, align: "right" as const })),
    ],
    reports.length === 1 ? rows : [...rows, total],
  );
}

async function printHeaviest(reports: readonly SessionReport[], output: Output, text: Paragraphs): Promise<void> {
  const heaviest = heaviestOutputs(reports, limits.reportOutputsShown);
  if (heaviest.length === 0) return;
  await output.line("");
  await text.say("", "The outputs that weighed most after their last use, and how many requests carried them on:");
  await output.table(
    [
      { title: "characters", align: "right" },
      { title: "requests", align: "right" },
      { title: "tool" },
      { title: "about", shrinks: true },
    ],
    heaviest.map(({ chars, requests, tool, target }) => [
      countText(chars),
      countText(requests),
      tool ?? "",
      target ?? "",
    ]),
  );
}

/** Sentences beside a word, broken between words. */
class Paragraphs {
  readonly #output: Output;
  readonly #columns: number;

  constructor(output: Output, columns: number) {
    this.#output = output;
    this.#columns = columns;
  }

  async say(name: string, text: string): Promise<void> {
    const indent = name === "" ? 0 : limits.reportNameColumns;
    const lines = wrappedLines(text, Math.max(limits.columnColumnsMin, this.#columns - indent));
    for (const [at, line] of lines.entries()) {
      await this.#output.line(`${(at === 0 ? name : "").padEnd(indent)}${line}`);
    }
  }
}
