import { forkSession } from "@cm/session";
import { Command } from "commander";
import type { CommandRun } from "../command-line.ts";
import { stepOfRun } from "../objects/find-lineage.ts";
import { findStep } from "../objects/find-session.ts";
import { parseStepAddress, stepAddress } from "../objects/step-address.ts";

export function forkCommand(run: CommandRun): Command {
  const command = new Command("fork")
    .description("begin a new session at a step of another one, or at the end of a run; nothing is copied")
    .argument("<session@step|run>", "the step, or the run, after which the new session goes on")
    .option("--as <id>", "the new session's id; default: a new UUID");
  return command.action((text: string, options: { as?: string }) =>
    run.run(command, async ({ output, open }) => {
      const store = await open("write");
      const ofRun = parseStepAddress(text) === undefined ? await stepOfRun(store, text) : undefined;
      const forked = await forkSession(
        store,
        ofRun ?? (await findStep(store, stepAddress(text, undefined))),
        options.as === undefined ? {} : { session: options.as },
      );
      if (output.json) await output.value(forked);
      else await output.line(`The session ${forked.session} continues ${forked.from.session}@${forked.from.n}.`);
      return undefined;
    }),
  );
}
