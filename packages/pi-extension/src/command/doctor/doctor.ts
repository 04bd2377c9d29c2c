import { piError } from "../../errors.ts";
import { ownFolder, settingsFile } from "../../settings/folders.ts";
import type { Settings } from "../../settings/settings.ts";
import type { CommandHost } from "../command-host.ts";
import { checkFile } from "./check-file.ts";
import { type CheckLine, checkText, doubtful, fine } from "./check-line.ts";
import { checkOwnFiles } from "./check-rights.ts";
import { checkStore } from "./check-store.ts";
import { checkNode, checkPi } from "./check-versions.ts";
import { fixFiles, fixStore } from "./fix.ts";
import { runningPiVersion } from "./running-pi.ts";

/** Looks at everything that can be wrong, and says how to leave; mends something only where it is told to. */
export async function runDoctor(host: CommandHost, argument: string): Promise<string> {
  switch (argument) {
    case "":
      return examined(host);
    case "fix":
      return fixFiles(host);
    case "fix store":
      return fixStore(host);
    default:
      throw piError("pi/invalid-input", "Say /cm doctor, or /cm doctor fix, which mends what loses nothing.");
  }
}

async function examined(host: CommandHost): Promise<string> {
  const settings = host.settings();
  const lines = [checkNode(), checkPi(runningPiVersion()), ...checkSettings(settings), ...(await storeLines(host))];
  return [...lines.map(checkText), leaving(settings)].join("\n");
}

function checkSettings({ layout, preset, agentDir, problems }: Settings): readonly CheckLine[] {
  const text = layout === "log" ? `layout log, preset ${preset}` : `layout ${layout}`;
  return [
    fine("settings", text),
    ...problems.map((problem) => doubtful("settings", problem, `Your own file is ${settingsFile(agentDir)}.`)),
  ];
}

async function storeLines(host: CommandHost): Promise<readonly CheckLine[]> {
  const { store } = host.settings();
  const file = [...(store.kind === "sqlite" ? checkFile(store.path) : []), ...checkOwnFiles(host.settings())];
  const managed = host.isEnabled() ? host.managed() : undefined;
  if (managed === undefined) return [doubtful("health", "off", "/cm on manages this session."), ...file];
  return [...(await checkStore(managed)), ...file];
}

function leaving({ agentDir, store }: Settings): string {
  const elsewhere = store.kind === "xtdb" ? " The objects in XTDB stay there." : "";
  return `To leave: pi remove npm:@cm/pi-extension, then delete ${ownFolder(agentDir)}.${elsewhere}`;
}
