import { providerPrices } from "@cm/context-log";
import type { PolicyName } from "@cm/replay";
import { type Command, InvalidArgumentError } from "commander";
import { limits } from "../live/limits.ts";
import { roleOf } from "../report/policy-roles.ts";
import type { LiveCommandOptions } from "./live.ts";
import { parsePolicies } from "./replay-options.ts";

/** Adds `live` to the program. */
export function withLive(program: Command, commandLine: string): void {
  const command = program.command("live");
  command
    .description("let a model work on tasks under several policies, and score what it left")
    .option("--policy <names>", "policies, with commas between them", parseLivePolicies, ["plain", "log"])
    .option("--task <names>", "tasks, with commas between them; all of them without it", parseNames)
    .option("--tasks <folder>", "an experiment of your own: system-prompt.md, tools.json, tasks/NAME")
    .option("--repeat <n>", "how often each task is run under each policy", whole(1, limits.repetitionsMax), 1)
    .option("--seed <n>", "seed of the first repetition, where the protocol knows seeds", whole(0, 2 ** 31 - 1))
    .option("--steps <n>", "requests of one run", whole(1, limits.stepsMax), limits.stepsMax)
    .addOption(
      command
        .createOption("--prices <name>", "what cached and new input costs; without it as the protocol suggests")
        .choices(Object.keys(providerPrices)),
    )
    .addOption(
      command.createOption("--store <kind>", "where objects are kept").choices(["sqlite", "memory"]).default("sqlite"),
    )
    .addOption(
      command
        .createOption("--scripted [protocol]", "a scripted model on this machine in place of a real one")
        .choices(["anthropic", "openai"])
        .preset("anthropic"),
    )
    .option("--open-network", "let commands of the model reach the network")
    .option("--out <folder>", "where figures and databases go", "out/live")
    .option("--json", "print figures as JSON")
    .action(async (options: LiveCommandOptions) => {
      // Loaded here alone: its client is a quarter of what a start takes.
      const { live } = await import("./live.ts");
      await live(options, commandLine);
    });
}

/** @throws InvalidArgumentError for one that has to know what the model will do */
function parseLivePolicies(value: string): readonly PolicyName[] {
  const names = parsePolicies(value);
  const future = names.find((name) => roleOf(name) === "future");
  if (future !== undefined) throw new InvalidArgumentError(`${future} knows recordings alone.`);
  return names;
}

function parseNames(value: string): readonly string[] {
  return [...new Set(value.split(",").map((name) => name.trim()))];
}

/** A whole number in its range. */
function whole(min: number, max: number): (value: string) => number {
  return (value) => {
    const number = Number(value);
    if (!/^[0-9]+$/.test(value) || number < min || number > max)
      throw new InvalidArgumentError(`A whole number from ${min} to ${max}.`);
    return number;
  };
}
