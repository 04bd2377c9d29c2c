import { Argument, Command } from "commander";
import type { CommandRun } from "../command-line.ts";
import { bashCompletion } from "../completion/bash.ts";
import { describeProgram } from "../completion/describe-program.ts";
import { fishCompletion } from "../completion/fish.ts";
import { zshCompletion } from "../completion/zsh.ts";

const shells = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const;

export function completionCommand(run: CommandRun): Command {
  const command = new Command("completion")
    .description("print a completion script for a shell")
    .addArgument(new Argument("<shell>", "the shell").choices(Object.keys(shells)));
  return command.action((shell: keyof typeof shells) =>
    run.run(command, async ({ output }) => {
      const script = shells[shell](describeProgram(command.parent ?? command));
      if (output.json) await output.value({ shell, script });
      else await output.write(script);
      return undefined;
    }),
  );
}
