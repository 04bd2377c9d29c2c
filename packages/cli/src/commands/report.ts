import { resolve } from "node:path";
import { defaultPrices, type ProviderPrices, providerPrices } from "@cm/context-log";
import { counted, visibleLine } from "@cm/terminal-text";
import { Command, InvalidArgumentError, Option } from "commander";
import type { CommandRun, Task } from "../command-line.ts";
import { cliError } from "../errors.ts";
import { namedRecordings } from "../exchange/named-recordings.ts";
import { limits } from "../limits.ts";
import { writeWhole } from "../output/write-file.ts";
import { type FoundFiles, findSessionFiles } from "../report/find-session-files.ts";
import { type GatheredReports, gatherReports } from "../report/gather-reports.ts";
import { printReport } from "../report/print-report.ts";
import type { TokenPrice } from "../report/recorded-tokens.ts";
import type { ReportTerms } from "../report/report-terms.ts";
import { summaryValue } from "../report/report-values.ts";

interface ReportOptions {
  readonly all?: true;
  readonly newest?: number;
  readonly html?: string;
  readonly prices?: string;
  readonly perMillion?: TokenPrice;
}

export function reportCommand(run: CommandRun): Command {
  const command = new Command("report")
    .description("what recorded sessions cost, and would have cost with the context log; needs no store")
    .argument("[files...]", "session files of Pi, oh-my-pi, Claude Code, Codex, opencode or SWE-agent")
    .option("--all", "the sessions of all agents on this machine")
    .option(
      "--newest <number>",
      `with --all: how many, the newest first (default: ${limits.reportSessions})`,
      parseCount,
    )
    .option("--html <file>", "write the report as a page for the browser, too")
    .addOption(
      new Option("--prices <provider>", "whose prices for cached input the report counts with").choices(
        Object.keys(providerPrices),
      ),
    )
    .option("--per-million <input/output>", "adds money: what a million tokens cost you, as in 3/15", parsePrice);
  return command.action((files: readonly string[], options: ReportOptions) =>
    run.run(command, async (task) => {
      const found = await filesOf(task, files, options);
      const terms = termsOf(options);
      const gathered = await gatherReports(task, found.places, { terms, isSearch: options.all === true });
      await tellReport(task, gathered, { terms, leftOut: leftOutOf(found, gathered), html: options.html });
      return gathered.exitCode;
    }),
  );
}

/** @throws CmError `cli/usage` */
async function filesOf({ world }: Task, files: readonly string[], { all, newest }: ReportOptions): Promise<FoundFiles> {
  if (all === true && files.length > 0)
    throw cliError("cli/usage", "--all finds the files by itself; leave the file out, or leave --all out.");
  if (all !== true && newest !== undefined)
    throw cliError("cli/usage", "--newest chooses among what --all finds; add --all.");
  if (all === true) return findSessionFiles(world, newest ?? limits.reportSessions);
  if (files.length === 0)
    throw cliError("cli/usage", "Name a session file, or add --all for the sessions of all agents on this machine.");
  const places = await namedRecordings(world, files);
  if (places.length > limits.reportSessionsMax)
    throw cliError("cli/usage", `A report takes ${counted(limits.reportSessionsMax, "session")} at most.`);
  return { places, leftOut: [] };
}

function leftOutOf({ leftOut }: FoundFiles, { failed, empty }: GatheredReports): readonly string[] {
  return [
    ...leftOut,
    ...(empty === 0
      ? []
      : [`${counted(empty, "session")} without an answer of a model ${empty === 1 ? "is" : "are"} left out.`]),
    ...(failed === 0
      ? []
      : [`${counted(failed, "session")} could not be reported on and ${failed === 1 ? "is" : "are"} left out.`]),
  ];
}

interface ToldReport {
  readonly terms: ReportTerms;
  readonly leftOut: readonly string[];
  readonly html: string | undefined;
}

async function tellReport(task: Task, gathered: GatheredReports, { terms, leftOut, html }: ToldReport): Promise<void> {
  const { output, world } = task;
  const { reports } = gathered;
  if (output.json) await output.value(summaryValue(reports, terms, { ...gathered, leftOut }));
  else if (reports.length > 0) {
    await printReport(reports, terms, { output, columns: output.isTerminal ? world.stdout.columns : undefined });
  } else if (gathered.failed === 0) output.note(nothingFound);
  if (!output.json) for (const sentence of leftOut) output.note(sentence);
  if (html === undefined || reports.length === 0) return;
  const { reportPage } = await import("../report/report-page.ts");
  const page = reportPage(reports, terms, { leftOut, madeAtMs: world.now() });
  await writeWhole(resolve(world.cwd, html), bytesOf(page));
  output.note(`The report is in ${visibleLine(html, limits.fieldCharsMax)}; open it in a browser.`);
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

const nothingFound =
  "No sessions of Pi, oh-my-pi, Claude Code, Codex or opencode were found in their usual folders; name a session file instead.";

function termsOf({ prices: name, perMillion }: ReportOptions): ReportTerms {
  const known: Readonly<Record<string, ProviderPrices>> = providerPrices;
  const prices = (name === undefined ? undefined : known[name]) ?? defaultPrices;
  return { prices: { name: name ?? "common", prices }, price: perMillion };
}

function parsePrice(text: string): TokenPrice {
  const [input, output, ...more] = text.split("/").map((part) => (part.trim() === "" ? Number.NaN : Number(part)));
  const isPrice = (price: number | undefined): price is number => price !== undefined && price >= 0 && price < 1e9;
  if (!isPrice(input) || !isPrice(output) || more.length > 0)
    throw new InvalidArgumentError("Write what a million tokens of input and of output cost, as in 3/15.");
  return { input, output };
}

function parseCount(text: string): number {
  const count = Number(text);
  if (!Number.isSafeInteger(count) || count < 1 || count > limits.reportSessionsMax)
    throw new InvalidArgumentError(`Write a number from 1 to ${limits.reportSessionsMax}.`);
  return count;
}
