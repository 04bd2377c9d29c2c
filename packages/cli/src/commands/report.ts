import { resolve } from "node:path";
import { defaultPrices } from "@cm/context-log";
import { type ProviderPrices, providerPrices } from "@cm/render";
import { Command, InvalidArgumentError, Option } from "commander";
import type { CommandRun } from "../command-line.ts";
import { cliError } from "../errors.ts";
import { printReport } from "../report/print-report.ts";
import type { TokenPrice } from "../report/recorded-tokens.ts";
import type { ReportTerms } from "../report/report-terms.ts";
import { sessionReport } from "../report/session-report.ts";

interface ReportOptions {
  readonly prices?: string;
  readonly perMillion?: TokenPrice;
}

export function reportCommand(run: CommandRun): Command {
  const command = new Command("report")
    .description("what recorded sessions cost, and would have cost with the context log; needs no store")
    .argument("[files...]", "session files of Pi, oh-my-pi, Claude Code, Codex, opencode or SWE-agent")
    .addOption(
      new Option("--prices <provider>", "whose prices the estimates are at").choices(Object.keys(providerPrices)),
    )
    .option("--per-million <input/output>", "adds money: what a million tokens cost you, as in 3/15", parsePrice);
  return command.action((files: readonly string[], options: ReportOptions) =>
    run.run(command, async ({ output, world }) => {
      if (files.length === 0)
        throw cliError("cli/usage", "Name a session file, or add --all for all agents' sessions.");
      const terms = termsOf(options);
      const reports = [];
      for (const file of files)
        reports.push(
          await sessionReport(resolve(world.cwd, file), file, {
            prices: terms.prices,
            tell: (text) => output.progress(text),
          }),
        );
      await printReport(reports, terms, { output, columns: output.isTerminal ? world.stdout.columns : undefined });
      return undefined;
    }),
  );
}

function termsOf({ prices: name, perMillion }: ReportOptions): ReportTerms {
  const known: Readonly<Record<string, ProviderPrices>> = providerPrices;
  const prices = (name === undefined ? undefined : known[name]) ?? defaultPrices;
  return { prices: { name: name ?? "of most providers", prices }, price: perMillion };
}

function parsePrice(text: string): TokenPrice {
  const [input, output, ...more] = text.split("/").map((part) => (part.trim() === "" ? Number.NaN : Number(part)));
  const isPrice = (price: number | undefined): price is number => price !== undefined && price >= 0 && price < 1e9;
  if (!isPrice(input) || !isPrice(output) || more.length > 0)
    throw new InvalidArgumentError("Write what a million tokens of input and of output cost, as in 3/15.");
  return { input, output };
}
