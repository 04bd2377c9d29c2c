import { ownFolder, settingsFile } from "../../settings/folders.ts";
import type { Settings } from "../../settings/settings.ts";
import { visibleLine } from "../../text/visible-line.ts";
import type { CommandHost } from "../command-host.ts";
import { commandLimits } from "../command-limits.ts";
import { checkFile } from "./check-file.ts";
import { type CheckLine, checkText, doubtful, fine } from "./check-line.ts";
import { checkStore } from "./check-store.ts";
import { checkNode, checkPi } from "./check-versions.ts";
import { runningPiVersion } from "./running-pi.ts";

/** Looks at everything that can be wrong, and says how to leave. Writes nothing. */
export async function runDoctor(host: CommandHost): Promise<string> {
  const settings = host.settings();
  const lines = [checkNode(), checkPi(runningPiVersion()), ...checkSettings(settings), ...(await storeLines(host))];
  return [...lines.map(checkText), leaving(settings)].join("\n");
}

function checkSettings({ layout, preset, agentDir, problems }: Settings): readonly CheckLine[] {
  const text = layout === "log" ? `preset ${preset}` : `layout ${layout}`;
  const next = `Look at ${settingsFile(agentDir)} and at the variables that begin with CM_.`;
  return [
    fine("settings", text),
    ...problems.map((problem) => doubtful("settings", visibleLine(problem, commandLimits.noteCharsMax), next)),
  ];
}

async function storeLines(host: CommandHost): Promise<readonly CheckLine[]> {
  const { store } = host.settings();
  const file = store.kind === "sqlite" ? checkFile(store.path) : [];
  const managed = host.isEnabled() ? host.managed() : undefined;
  if (managed === undefined) return [doubtful("health", "off", "/cm on manages this session."), ...file];
  return [...(await checkStore(managed)), ...file];
}

function leaving({ agentDir, store }: Settings): string {
  const elsewhere = store.kind === "xtdb" ? " The objects in XTDB stay there." : "";
  return `To leave: pi remove npm:@cm/pi-extension, then delete ${ownFolder(agentDir)}.${elsewhere}`;
}
