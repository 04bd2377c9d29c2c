import type { Command, Option } from "commander";

/** The possible words at a place of the command line. */
export type Completes = "sessions" | "files" | readonly string[];

export interface DescribedOption {
  /** `--output` and, where there is one, `-o`. */
  readonly flags: readonly string[];
  readonly text: string;
  /** The kind of its value; undefined if it takes none or cannot be completed. */
  readonly value: Completes | undefined;
  readonly takesValue: boolean;
}

export interface DescribedCommand {
  readonly name: string;
  readonly text: string;
  readonly options: readonly DescribedOption[];
  /** The kinds of its arguments. */
  readonly argument: Completes | undefined;
}

export interface DescribedProgram {
  readonly commands: readonly DescribedCommand[];
  /** Options that every command takes. */
  readonly options: readonly DescribedOption[];
}

/** The description of the program for completion, read from the program itself, so that it cannot become outdated. */
export function describeProgram(program: Command): DescribedProgram {
  return {
    commands: program.commands.map(describeCommand),
    options: [...program.options.map(describeOption), help],
  };
}

const help: DescribedOption = { flags: ["--help", "-h"], text: "display help", value: undefined, takesValue: false };

function describeCommand(command: Command): DescribedCommand {
  const [argument] = command.registeredArguments;
  return {
    name: command.name(),
    text: command.description(),
    options: command.options.map(describeOption),
    argument: argument === undefined ? undefined : (argument.argChoices ?? meantBy(argument.name())),
  };
}

function describeOption(option: Option): DescribedOption {
  const flags = [option.long, option.short].filter((flag) => flag !== undefined && flag !== null);
  const takesValue = option.required || option.optional;
  const value = option.argChoices ?? meantBy(/<([^>]+)>/.exec(option.flags)?.[1] ?? "");
  return { flags, text: option.description, takesValue, value: takesValue ? value : undefined };
}

/** Kinds of sources that are built in; there may be others, so that any word is taken. */
const sources = ["filesystem", "git", "s3"];

/** Arguments are named after what they are. */
function meantBy(name: string): Completes | undefined {
  if (name === "source") return sources;
  if (name.startsWith("session") || name === "step" || name === "words") return "sessions";
  return name.startsWith("file") ? "files" : undefined;
}
