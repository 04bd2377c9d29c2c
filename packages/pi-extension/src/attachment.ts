import { homedir } from "node:os";
import { CmError, isCmError } from "@cm/object-model";
import { agentFolder } from "@cm/store-place";
import { coolDownStoreThread } from "@cm/store-sqlite/warm-up";
import type { CommandHost } from "./command/command-host.ts";
import { RequestBounds } from "./compaction/request-bounds.ts";
import { figuresOf } from "./figures/figures-of.ts";
import type { RegisteredTool } from "./files/agent-files.ts";
import type { BlockedSecretFile } from "./files/blocked-secret-files.ts";
import { openFilesystem, type SessionFilesystem } from "./files/filesystem.ts";
import { HeardMounts } from "./files/mounts-message.ts";
import { NestedFiles } from "./files/nested-files.ts";
import type { ToolCall } from "./files/recorded-touch.ts";
import { lastSwitch, switchEntry, switchType } from "./link/switch-entry.ts";
import { manage } from "./managed/manage.ts";
import type { ManagedSession } from "./managed/managed-session.ts";
import { keepPrivate } from "./own-files/keep-private.ts";
import { ownFiles } from "./own-files/own-files.ts";
import type { ExtensionAPI, ExtensionContext, PiMessage } from "./pi/pi-types.ts";
import { sideOf } from "./pi/side-of.ts";
import { placeMarks } from "./provider/cache-marks.ts";
import { PairCache } from "./provider/pair-cache.ts";
import { PromptWatch } from "./provider/prompt-watch.ts";
import { liveSettings } from "./settings/live-settings.ts";
import { problemsNotice } from "./settings/problem.ts";
import { openSettings, type ReadSettings } from "./settings/read-settings.ts";
import { type FlagValues, settingFlags } from "./settings/setting-flags.ts";
import type { Settings } from "./settings/settings.ts";
import { FoldNotices } from "./status/fold-notices.ts";
import { forkNotice } from "./status/fork-notice.ts";
import { lostNotice } from "./status/lost-notice.ts";
import { resumeNotice } from "./status/resume-notice.ts";
import { statusText } from "./status/status-text.ts";
import { OwnTool } from "./tools/own-tool.ts";

const statusKey = "cm";
const changedBehindUs =
  "Another extension changes requests behind Context Manager. What it takes out there is not known here: text that is brought back may have it again, and requests may cost more.";

/** Settings as far as they are known before Pi has a session: without flags, and without those of a project. */
export function settingsAtLoad(): Settings {
  return settingsOf(process.cwd(), { flags: {}, isProjectTrusted: false }).forModel(undefined);
}

interface KnownOfPi {
  readonly flags: FlagValues;
  readonly isProjectTrusted: boolean;
}

function settingsOf(cwd: string, known: KnownOfPi): ReadSettings {
  const home = homedir();
  return openSettings({ env: process.env, agentDir: agentFolder(process.env, { home, cwd }), home, cwd, ...known });
}

/** What joins this extension to the session that Pi runs now: one at a time, and none while it is switched off. */
export class Attachment implements CommandHost {
  readonly #pi: ExtensionAPI;
  readonly #tool: OwnTool;
  #ctx: ExtensionContext | undefined;
  #settings: Settings | undefined;
  #managed: ManagedSession | undefined;
  #files: SessionFilesystem | undefined;
  readonly #nested = new NestedFiles();
  readonly #mounts: HeardMounts;
  readonly bounds = new RequestBounds();
  readonly #watch = new PromptWatch();
  readonly #pairs = new PairCache();
  /** The status line as it stands. */
  #shown: string | undefined;
  readonly #told = new Set<string>();
  readonly #foldNotices = new FoldNotices();

  constructor(pi: ExtensionAPI) {
    this.#pi = pi;
    this.#tool = new OwnTool(pi, this);
    this.#mounts = new HeardMounts(pi.events);
  }

  managed(): ManagedSession | undefined {
    return this.#managed;
  }

  closedSecrets(): readonly BlockedSecretFile[] {
    return this.#files?.closedSecrets ?? [];
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
    await this.leave();
    this.#ctx = ctx;
    const flags = Object.fromEntries(Object.keys(settingFlags).map((name) => [name, this.#pi.getFlag(name)]));
    const read = settingsOf(ctx.cwd, { flags, isProjectTrusted: ctx.isProjectTrusted() });
    const settings = liveSettings(read, () => modelName(this.#ctx));
    this.#settings = settings;
    const problems = problemsNotice(settings.problems);
    if (problems !== undefined) this.#tell(problems, "warning");
    const said = settings.offBy === "run" ? undefined : lastSwitch(ctx.sessionManager.getEntries());
    const isOff = said === undefined ? settings.off : said === "off";
    if (isOff || settings.store.kind !== "sqlite") coolDownStoreThread();
    keepPrivate(ownFiles(settings));
    this.#mounts.ask();
    // A person turned it off in this session and sees that it stayed off. Off by settings shows nothing.
    if (isOff && said !== undefined) this.#showStatus();
    if (isOff) return;
    try {
      await this.#turn(true);
    } catch (error) {
      if (!isCmError(error, "pi/unavailable")) throw error;
      coolDownStoreThread();
      this.#tell(error.message, "warning");
      this.#showStatus();
    }
  }

  /** Pi's session ends: what Pi gave for it throws when it is used later, such as by an answer that comes late. */
  async leave(): Promise<void> {
    await this.detach();
    this.#ctx = undefined;
    this.#shown = undefined;
  }

  /** Writes what there is to write, within bounds of time. */
  async detach(): Promise<void> {
    const managed = this.#managed;
    const files = this.#files;
    this.#managed = undefined;
    this.#files = undefined;
    await managed?.close();
    await files?.close();
  }

  /**
   * The switch of this session, which holds from now on, also when the session is resumed.
   * @throws CmError `pi/unavailable` where the model cannot have our tool: notices that name it would be untrue
   */
  async setEnabled(on: boolean): Promise<void> {
    // Off is said before anything is waited for: Pi may reload meanwhile.
    if (!on) this.#keepSwitch(on);
    await this.#turn(on);
    if (on) this.#keepSwitch(on);
  }

  #keepSwitch(on: boolean): void {
    if (this.#ctx !== undefined) this.#pi.appendEntry(switchType, switchEntry(on));
  }

  async #turn(on: boolean): Promise<void> {
    const ctx = this.#ctx;
    if (ctx === undefined || on === this.isEnabled()) return;
    const missing = on ? this.#tool.offer() : this.#tool.withdraw();
    if (missing !== undefined) throw new CmError("pi/unavailable", missing);
    if (on) this.#begin(ctx);
    else await this.detach();
    this.#showStatus();
  }

  /** Lets go of the database while the work is done, and takes the session up again behind it. */
  async apart(work: () => void): Promise<void> {
    const ctx = this.#ctx;
    const isOn = this.isEnabled();
    await this.detach();
    try {
      work();
    } finally {
      // Pi's session may be over meanwhile.
      if (isOn && ctx !== undefined && ctx === this.#ctx) this.#begin(ctx);
      this.#showStatus();
    }
  }

  #begin(ctx: ExtensionContext): void {
    const settings = this.settings();
    const tools = (): readonly RegisteredTool[] => this.#pi.getAllTools();
    this.#files = openFilesystem({ settings, cwd: ctx.cwd, home: homedir(), tools, mounts: this.#mounts });
    const side = sideOf(this.#pi, ctx, () => this.#showStatus());
    const agentDir = agentFolder(process.env, { home: homedir(), cwd: ctx.cwd });
    const figures = figuresOf(this.#pi, ctx, { side, agentDir });
    this.#managed = manage(side, { settings, files: this.#files, nested: this.#nested, figures });
    // Nothing waits for it. What changed meanwhile is known, and said, before the first request.
    void this.#managed.catchUp();
  }

  /** A call that a tool made inside a call of the model's: it stands in no transcript, and its files are kept. */
  nestedCall(parent: string, call: ToolCall): void {
    const touched = this.#files?.touched({ ...call, isNested: true }) ?? [];
    if (touched.length > 0) this.#nested.add(parent, touched);
  }

  /** The messages of the next request; undefined where they stay as they are. */
  async messagesFor(messages: readonly PiMessage[], ctx: ExtensionContext): Promise<PiMessage[] | undefined> {
    const made = await this.#managed?.messagesFor(messages, this.bounds.optionsFor(ctx));
    this.#watch.handed(made);
    return made;
  }

  /** The model has begun to answer: time for what the next request will want. */
  prepare(): void {
    this.#managed?.prepare();
    this.#files?.warmUp();
  }

  /** The model has answered, and its calls have results. */
  async turnEnded(ctx: ExtensionContext): Promise<void> {
    await this.#managed?.turnEnded(this.bounds.optionsFor(ctx));
  }

  /** The request as it goes to the provider, with places to cache where ours are. */
  payloadFor(payload: unknown): unknown {
    const prompt = this.#managed?.prompt;
    if (this.#watch.isChanged(payload)) this.#tell(changedBehindUs, "warning");
    return prompt === undefined ? payload : placeMarks(payload, prompt, this.#pairs);
  }

  #showStatus(): void {
    if (this.#ctx === undefined) return;
    const managed = this.#managed;
    const health = managed?.health ?? { state: "off", unwritten: 0 };
    const text = statusText(managed?.figures, health);
    if (text !== this.#shown) this.#ctx.ui.setStatus(statusKey, text);
    this.#shown = text;
    const report = managed?.opened()?.report;
    const notice = report === undefined ? undefined : resumeNotice(report);
    if (notice !== undefined) this.#tell(notice, "info");
    const fork = managed?.forked();
    if (fork !== undefined) this.#tell(forkNotice(fork), "info");
    const left = managed?.left();
    if (left !== undefined) this.#tell(lostNotice(left), "warning");
    this.#tellFolds(this.#ctx);
    const unknown = this.#files?.notice;
    if (unknown !== undefined) this.#tell(unknown, "warning");
  }

  /** A fold may be like one before, so nothing is held back. */
  #tellFolds({ cwd, hasUI, ui }: ExtensionContext): void {
    const session = this.#managed?.insideNow();
    const notice = session && this.#foldNotices.next(session, this.settings().notices, cwd);
    if (notice !== undefined && hasUI) ui.notify(notice, "info");
  }

  /** Once, and only with a user interface: other modes print for programs. */
  #tell(text: string, type: "info" | "warning"): void {
    if (this.#ctx?.hasUI !== true || this.#told.has(text)) return;
    this.#told.add(text);
    this.#ctx.ui.notify(text, type);
  }
}

const modelName = (ctx: ExtensionContext | undefined): string | undefined =>
  ctx?.model === undefined ? undefined : `${ctx.model.provider}/${ctx.model.id}`;
