#!/usr/bin/env node
import { isCmError } from "@cm/object-model";
import { idChoices, policyGroups, policyNames, usualPolicies } from "@cm/replay";
import { Command, CommanderError, Option } from "commander";
import { check, checkStatus } from "./commands/check.ts";
import { compareFolders, comparePolicies } from "./commands/compare.ts";
import { example } from "./commands/example.ts";
import { parseGenerated } from "./commands/generated-recordings.ts";
import { withLive } from "./commands/live-options.ts";
import { policies } from "./commands/policies.ts";
import { parseLifetime, parsePrice, parsePriceVectors, priceNames } from "./commands/price-options.ts";
import { replay } from "./commands/replay.ts";
import { parseChoices, type ReplayCommandOptions } from "./commands/replay-options.ts";
import { halves } from "./replay/halves.ts";

/** 0 done, 1 a fault or a check that failed, 2 input or options that cannot be used, 130 interrupted. */
function statusOf(code: string): number {
  if (code === "replay/interrupted" || code === "live/interrupted") return 130;
  return /^(recording|journal|replay|check|compare|example|live\/usage|live\/no-isolation|store\/unavailable|store\/corrupt)/.test(
    code,
  )
    ? 2
    : 1;
}

const args = process.argv.slice(2);
const commandLine = ["npm start", ...(args.length > 0 ? ["--", ...args] : [])].join(" ");

/** Collects a repeatable option, for both kinds of runs. */
const each = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];

function withReplayOptions(command: Command, out: string): Command {
  return command
    .option(
      "--policy <names>",
      `policies, with commas between them: ${[...policyNames, ...Object.keys(policyGroups)].join(", ")}; or a file with one of your own, as in ./mine.js`,
      parseChoices,
      usualPolicies,
    )
    .addOption(
      command
        .createOption("--store <kind>", "where objects are kept")
        .choices(["sqlite", "memory", "postgres", "xtdb"])
        .default("sqlite"),
    )
    .addOption(command.createOption("--ids <how>", "how layout ssot names objects").choices(idChoices).default("full"))
    .option("--read <price>", "price of cached input", parsePrice, 0.1)
    .option("--write <price>", "price of new input", parsePrice, 1.25)
    .option(
      "--prices <names>",
      `in place of both, several at once: ${priceNames.join(", ")}, READ/WRITE`,
      parsePriceVectors,
    )
    .option("--lifetime <how>", "the cache forgets: never, as recorded, after MINUTES", parseLifetime, "never")
    .option("--out <folder>", "where report and databases go", out)
    .option("--json", "print figures as JSON");
}

const program = new Command("npm start --")
  .description("Replays recorded agent sessions through the Context Manager. Alone: a built-in example.")
  .exitOverride()
  .showHelpAfterError()
  .enablePositionalOptions();

withReplayOptions(program, "out/example").action((options: ReplayCommandOptions) => example(options, commandLine));

/** Which recordings, and what of them. */
function withRecordings(command: Command): Command {
  return command
    .option("--generated <seed:calls>", "sessions made from a seed, several with commas between them", parseGenerated)
    .addOption(new Option("--half <half>", "only recordings of one half, by the hash of their file").choices(halves))
    .option("--path", "replay the active path only, without abandoned branches");
}

withRecordings(withReplayOptions(program.command("replay"), "out/replay"))
  .description("replay recorded sessions: files of Pi, oh-my-pi, Claude Code, Codex, opencode or SWE-agent")
  .argument("[file...]", "recorded sessions")
  .option("--dump <file>", "write every request, for one file and one policy")
  .option("--root <folder>", "look at the session's files below this folder, which stands for its working folder")
  .option("--open-secret-files <pattern>", "with --root: look at these, too, which are closed for their names", each)
  .option("--git <folder>", "look at files of this repository's commits that calls name", each)
  .option("--s3 <url>", "look at objects of this server's buckets that calls name; aws for AWS", each)
  .option("--container <id>", "look at the session's files in this container; ID=COMMAND for other engines")
  .option("--shared", "keep all sessions of this command in one database")
  .action((files: string[], options: ReplayCommandOptions) => replay(files, options, { command: commandLine }));

program
  .command("check")
  .description("rebuild every request from databases, and compare with what was sent")
  .argument("<path...>", "databases, or folders of a replay")
  .option("--json", "one line of JSON for each session")
  .action(async (paths: string[], options: { json?: true }) => {
    process.exitCode = checkStatus[await check(paths, options)];
  });

program.command("policies").description("name the policies, and say what each does").action(policies);

withLive(program, commandLine);

withRecordings(withReplayOptions(program.command("compare"), "out/compare"))
  .description("what two replays of the same recordings differ in, session by session; or two policies, --policy a,b")
  .argument("[path...]", "two folders of replays; with --policy, recorded sessions")
  .option("--fail-if-worse", "status 1 where a figure got worse")
  .action(async (paths: string[], options: ReplayCommandOptions & { failIfWorse?: true }, command: Command) => {
    const isOfPolicies = command.getOptionValueSource("policy") === "cli";
    const isWell = isOfPolicies
      ? await comparePolicies(paths, options, { command: commandLine })
      : compareFolders(paths, options);
    if (!isWell && options.failIfWorse === true) process.exitCode = 1;
  });

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
  else if (isCmError(error)) {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = statusOf(error.code);
  } else throw error;
}
