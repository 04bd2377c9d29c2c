import { homedir } from "node:os";
import type { AssembleOptions } from "@cm/object-model";
import type { CommandHost } from "./command/command-host.ts";
import { manage } from "./managed/manage.ts";
import type { ManagedSession } from "./managed/managed-session.ts";
import type { ExtensionAPI, ExtensionContext, PiMessage } from "./pi/pi-types.ts";
import { sideOf } from "./pi/side-of.ts";
import { placeMarks } from "./provider/cache-marks.ts";
import { windowOf } from "./provider/window-of.ts";
import { agentFolder } from "./settings/folders.ts";
import { readSettings } from "./settings/read-settings.ts";
import { type FlagValues, settingFlags } from "./settings/setting-flags.ts";
import type { Settings } from "./settings/settings.ts";
import { resumeNotice } from "./status/resume-notice.ts";
import { statusText } from "./status/status-text.ts";
import { toolNames } from "./tools/register-tools.ts";

const statusKey = "cm";

/** Settings as far as they are known before Pi has a session: without flags. */
export function settingsAtLoad(): Settings {
  return settingsOf(process.cwd(), {});
}

function settingsOf(cwd: string, flags: FlagValues): Settings {
  const home = homedir();
  return readSettings({ env: process.env, agentDir: agentFolder(process.env, { home, cwd }), home, cwd, flags });
}

/** What joins this extension to the session that Pi runs now: one at a time, and none while it is switched off. */
export class Attachment implements CommandHost {
  readonly #pi: ExtensionAPI;
  #ctx: ExtensionContext | undefined;
  #settings: Settings | undefined;
  #managed: ManagedSession | undefined;
  readonly #told = new Set<string>();

  constructor(pi: ExtensionAPI) {
    this.#pi = pi;
  }

  managed(): ManagedSession | undefined {
    return this.#managed;
  }

  isEnabled(): boolean {
    return this.#managed !== undefined;
  }

  settings(): Settings {
    this.#settings ??= settingsAtLoad();
    return this.#settings;
  }

  /** Pi has a session. Over rpc a fork says so twice. */
  async attach(ctx: ExtensionContext): Promise<void> {
    await this.detach();
    this.#ctx = ctx;
    const flags = Object.keys(settingFlags).map((name) => [name, this.#pi.getFlag(name)]);
    this.#settings = settingsOf(ctx.cwd, Object.fromEntries(flags));
    for (const problem of this.#settings.problems) this.#tell(problem, "warning");
    await this.setEnabled(!this.#settings.off);
  }

  /** Writes what there is to write, within bounds of time. */
  async detach(): Promise<void> {
    const managed = this.#managed;
    this.#managed = undefined;
    await managed?.close();
  }

  async setEnabled(on: boolean): Promise<void> {
    const ctx = this.#ctx;
    if (ctx === undefined || on === this.isEnabled()) return;
    this.#offerTools(on);
    if (on)
      this.#managed = manage(
        sideOf(this.#pi, ctx, () => this.#showStatus()),
        this.settings(),
      );
    else await this.detach();
    this.#showStatus();
  }

  /** The messages of the next request; undefined where they stay as they are. */
  async messagesFor(messages: readonly PiMessage[], { model }: ExtensionContext): Promise<PiMessage[] | undefined> {
    if (this.#managed === undefined) return undefined;
    const window = model === undefined ? undefined : windowOf(model);
    const options: AssembleOptions = {
      ...(window === undefined ? {} : { window }),
      ...(model === undefined ? {} : { model: model.id }),
    };
    return this.#managed.messagesFor(messages, options);
  }

  /** The request as it goes to the provider, with places to cache where ours are. */
  payloadFor(payload: unknown): unknown {
    const prompt = this.#managed?.prompt;
    return prompt === undefined ? payload : placeMarks(payload, prompt);
  }

  /** Switched off, Pi offers no tool that could not answer. */
  #offerTools(on: boolean): void {
    const active = this.#pi.getActiveTools();
    const others = active.filter((name) => !toolNames.some((own) => own === name));
    const wanted = on ? [...others, ...toolNames] : others;
    if (wanted.length !== active.length) this.#pi.setActiveTools(wanted);
  }

  #showStatus(): void {
    const managed = this.#managed;
    const health = managed?.health ?? { state: "off", unwritten: 0 };
    this.#ctx?.ui.setStatus(statusKey, statusText(managed?.figures, health));
    const report = managed?.opened()?.report;
    const notice = report === undefined ? undefined : resumeNotice(report);
    if (notice !== undefined) this.#tell(notice, "info");
  }

  /** Once, and only where somebody can see it: other modes print for programs. */
  #tell(text: string, type: "info" | "warning"): void {
    if (this.#ctx?.hasUI !== true || this.#told.has(text)) return;
    this.#told.add(text);
    this.#ctx.ui.notify(text, type);
  }
}
