import { ownFolder } from "@cm/store-place";
import { visibleLine } from "@cm/terminal-text";
import { piError } from "../../errors.ts";
import type { Settings } from "../../settings/settings.ts";
import type { CommandHost } from "../command-host.ts";
import { commandLimits } from "../command-limits.ts";
import { checkFile } from "./check-file.ts";
import { type CheckLine, checkText, doubtful, fine } from "./check-line.ts";
import { checkOwnFiles } from "./check-rights.ts";
import { checkSecrets } from "./check-secrets.ts";
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
  const lines = [
    checkNode(),
    checkPi(runningPiVersion()),
    ...checkSettings(settings),
    ...(await storeLines(host)),
    ...checkSecrets(host.closedSecrets()),
  ];
  return [...lines.map(checkText), leaving(settings)].join("\n");
}

function checkSettings({ problems, ...settings }: Settings): readonly CheckLine[] {
  return [
    fine("settings", inForce(settings)),
    ...problems.map((text): CheckLine => ({ status: "look", about: "settings", text })),
  ];
}

/** What holds for the model that runs now. */
function inForce({
  layout,
  preset,
  notices,
  protect,
}: Pick<Settings, "layout" | "preset" | "notices" | "protect">): string {
  const patterns = [...protect.tools, ...protect.paths];
  const isKept = [
    ...patterns,
    ...(protect.prompts === 0
      ? []
      : [protect.prompts === 1 ? "the last prompt" : `the last ${protect.prompts} prompts`]),
  ];
  const text = [
    layout === "log" ? `preset ${preset}` : `layout ${layout}`,
    `notices ${notices}`,
    ...(isKept.length === 0 ? [] : [`protected: ${isKept.join(", ")}`]),
  ].join("; ");
  return visibleLine(text, commandLimits.noteCharsMax);
}

async function storeLines(host: CommandHost): Promise<readonly CheckLine[]> {
  const { store } = host.settings();
  const file = [...(store.kind === "sqlite" ? checkFile(store.path) : []), ...checkOwnFiles(host.settings())];
  const managed = host.isEnabled() ? host.managed() : undefined;
  if (managed === undefined) return [doubtful("health", "off", "/cm on manages this session."), ...file];
  return [...(await checkStore(managed)), ...file];
}

function leaving({ agentDir, store }: Settings): string {
  const elsewhere =
    store.kind === "sqlite" ? "" : ` The objects in ${store.kind === "xtdb" ? "XTDB" : "Postgres"} stay there.`;
  return `To leave: pi remove npm:@cm/pi-extension, then delete ${ownFolder(agentDir)}.${elsewhere}`;
}
