import { visiblePath } from "@cm/terminal-text";
import { piError } from "../errors.ts";
import { settingsFile } from "../settings/folders.ts";
import { writeOff } from "../settings/write-off.ts";
import type { CommandHost } from "./command-host.ts";
import { commandLimits } from "./command-limits.ts";
import type { Subcommand } from "./subcommand.ts";

/** `/cm on` and `/cm off`: the switch holds for this session until the next switch, or for all sessions. */
export const switchCommands: readonly Subcommand[] = [
  {
    name: "on",
    argument: "[always]",
    description: "manage the context again; always: of every session",
    async run(host, argument) {
      const isForAll = saysAlways("on", argument);
      if (isForAll) writeOff(host.settings().agentDir, false);
      await host.setEnabled(true);
      return `The context manager is on, from the next request. ${isForAll ? "Every session begins with it." : "It stays on when this session is resumed."}`;
    },
  },
  {
    name: "off",
    argument: "[always]",
    description: "leave Pi as it is; always: in every session",
    async run(host, argument) {
      const isForAll = saysAlways("off", argument);
      if (isForAll) writeOff(host.settings().agentDir, true);
      await host.setEnabled(false);
      return isForAll ? offAlways(host) : offHere;
    },
  },
];

const works = "from the next request on Pi works as without it";
const offHere = `The context manager is off: ${works}. That stays so in this session, also when Pi is started again or the session is resumed, until /cm on. Other sessions have it; /cm off always turns it off in all of them.`;

function offAlways(host: CommandHost): string {
  const file = visiblePath(settingsFile(host.settings().agentDir), commandLimits.noteCharsMax);
  return `The context manager is off: ${works}, in this session and in every one that begins ("off": true in ${file}). /cm on brings it back in a session, /cm on always in all.`;
}

function saysAlways(word: string, argument: string): boolean {
  if (argument === "" || argument === "always") return argument === "always";
  throw piError("pi/invalid-input", `Say /cm ${word}, for this session, or /cm ${word} always, for every one.`);
}
