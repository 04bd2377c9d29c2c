import { homedir } from "node:os";
import { contextLogPolicy, type LayoutPreset, layouts } from "@cm/render";
import { createRedactor } from "@cm/sources-fs";
import { ManagedSession } from "./managed/managed-session.ts";
import { openStore, placeOf } from "./managed/open-store.ts";
import type { PiSide } from "./managed/pi-side.ts";
import type { ExtensionAPI, ExtensionContext } from "./pi/pi-types.ts";
import { pricesOf, retentionOf } from "./provider/prices-of.ts";
import { windowOf } from "./provider/window-of.ts";
import { agentFolder } from "./settings/folders.ts";
import { readSettings } from "./settings/read-settings.ts";
import { settingFlags } from "./settings/setting-flags.ts";
import type { Settings } from "./settings/settings.ts";
import { statusText } from "./status/status-text.ts";
import { registerTools } from "./tools/register-tools.ts";

const statusKey = "cm";

/** Joins the parts to Pi's events. One instance serves one session of Pi at a time. */
export function contextManager(pi: ExtensionAPI): void {
  let managed: ManagedSession | undefined;
  const stop = async (): Promise<void> => {
    const stopped = managed;
    managed = undefined;
    await stopped?.close();
  };
  for (const [name, flag] of Object.entries(settingFlags)) pi.registerFlag(name, flag);
  registerTools(pi, { managed: () => managed });

  pi.on("session_start", async (_event, ctx) => {
    // Over rpc a fork starts twice.
    await stop();
    const settings = settingsFor(ctx);
    if (settings.off) return;
    managed = manage(pi, ctx, settings);
  });
  pi.on("session_shutdown", stop);
  pi.on("session_tree", () => void managed?.catchUp());
  pi.on("turn_end", () => void managed?.catchUp());
  pi.on("agent_end", () => managed?.settle());
  pi.on("context", async ({ messages }, ctx) => {
    if (managed === undefined) return undefined;
    const window = ctx.model === undefined ? undefined : windowOf(ctx.model);
    const model = ctx.model?.id;
    const options = { ...(window === undefined ? {} : { window }), ...(model === undefined ? {} : { model }) };
    return { messages: await managed.messagesFor(messages, options) };
  });
}

function settingsFor({ cwd }: ExtensionContext): Settings {
  const home = homedir();
  return readSettings({ env: process.env, agentDir: agentFolder(process.env, { home, cwd }), home, cwd });
}

function manage(pi: ExtensionAPI, ctx: ExtensionContext, settings: Settings): ManagedSession {
  const redact = createRedactor();
  const side = sideOf(pi, ctx, () => ctx.ui.setStatus(statusKey, statusText(session.figures, session.health)));
  const session: ManagedSession = new ManagedSession({
    side,
    redact,
    storePlace: placeOf(settings.store),
    openStore: () => openStore(settings.store),
    lineOptions: () => ({
      sources: [],
      redact,
      preset: presetOf(settings),
      prices: ctx.model === undefined ? { read: 0.1, write: 1.25 } : pricesOf(ctx.model, retentionOf(process.env)),
      headChars: side.headChars(),
      touchesOf: () => [],
    }),
  });
  return session;
}

function presetOf({ layout, preset }: Settings): LayoutPreset {
  if (layout === "ssot") return layouts.ssot;
  return { ...layouts.log, policy: contextLogPolicy({ preset }) };
}

function sideOf(pi: ExtensionAPI, ctx: ExtensionContext, changed: () => void): PiSide {
  const { sessionManager } = ctx;
  return {
    piSession: sessionManager.getSessionId(),
    cwd: ctx.cwd,
    leaf: () => sessionManager.getLeafId(),
    branch: () => sessionManager.getBranch(),
    model: () => ctx.model,
    systemPrompt: () => ctx.getSystemPrompt(),
    headChars: () => ctx.getSystemPrompt().length + toolChars(pi),
    append: (type, data) => pi.appendEntry(type, data),
    changed,
  };
}

/** Declarations as a provider gets them, about. */
function toolChars(pi: ExtensionAPI): number {
  const active = new Set(pi.getActiveTools());
  const declared = pi.getAllTools().filter(({ name }) => active.has(name));
  return declared.reduce(
    (sum, { name, description, parameters }) =>
      sum + name.length + description.length + JSON.stringify(parameters).length,
    0,
  );
}
