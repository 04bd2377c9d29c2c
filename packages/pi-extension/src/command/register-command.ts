import { isCmError } from "@cm/object-model";
import { visibleLine } from "@cm/terminal-text";
import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";
import type { CommandHost } from "./command-host.ts";
import { commandLimits } from "./command-limits.ts";
import { completions } from "./completions.ts";
import { subcommands } from "./subcommands.ts";

/** Registers `/cm`. What it says goes to the terminal or the rpc client; print and json modes have no place for it. */
export function registerCommand(pi: Pick<ExtensionAPI, "registerCommand">, host: CommandHost): void {
  pi.registerCommand("cm", {
    description:
      "Context manager: what fills the context; why, fold, protect, objects, show, pin, on, off, doctor, help",
    getArgumentCompletions: async (typed) => completions(host, typed),
    handler: (args, ctx) => runCommandLine(host, args, ctx),
  });
}

type Shown = Pick<ExtensionContext, "hasUI" | "cwd"> & { readonly ui: Pick<ExtensionContext["ui"], "notify"> };

/** Runs what was typed after `/cm`. Never throws: Pi would print what it does not know how to say. */
export async function runCommandLine(host: CommandHost, line: string, ctx: Shown): Promise<void> {
  const say = (text: string, type: "info" | "warning") => {
    try {
      if (ctx.hasUI) ctx.ui.notify(text, type);
    } catch {
      // Pi has gone over to another session meanwhile, and the answer has no reader.
    }
  };
  const [word = ""] = line.trim().split(/\s/, 1);
  const argument = line.trim().slice(word.length).trim();
  const subcommand = subcommands.find(({ name }) => name === (word === "" ? "status" : word));
  if (subcommand === undefined) {
    return say(`/cm ${visibleLine(word, commandLimits.noteCharsMax)} is not known; /cm help lists what is.`, "warning");
  }
  try {
    say(await subcommand.run(host, argument, ctx.cwd), "info");
  } catch (error) {
    const fault = isCmError(error) ? error.message : "It failed for a reason that is not ours; /cm doctor looks at it.";
    say(fault, "warning");
  }
}
