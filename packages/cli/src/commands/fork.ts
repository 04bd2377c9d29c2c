import { forkSession } from "@cm/session";
import { Command } from "commander";
import type { CommandRun } from "../command-line.ts";
import { findStep } from "../objects/find-session.ts";
import { stepAddress } from "../objects/step-address.ts";

export function forkCommand(run: CommandRun): Command {
  const command = new Command("fork")
    .description("begin a new session at a step of another one; nothing is copied")
    .argument("<session@step>", "the step after which the new session goes on")
    .option("--as <id>", "the new session's id; default: a new UUID");
  return command.action((text: string, options: { as?: string }) =>
    run.run(command, async ({ output, open }) => {
      const asked = stepAddress(text, undefined);
      const store = await open("write");
      const forked = await forkSession(
        store,
        await findStep(store, asked),
        options.as === undefined ? {} : { session: options.as },
      );
      if (output.json) await output.value(forked);
      else await output.line(`The session ${forked.session} continues ${forked.from.session}@${forked.from.n}.`);
      return undefined;
    }),
  );
}
