export type { PiHome } from "./home/environment.ts";
export type { GivenAnswer } from "./wire/captured-request.ts";
/** The door of the kit: tests import from here. See README.md. */

export { checkStructure } from "./checks/check-structure.ts";
export { type PiEnd, PiProcess } from "./drive/pi-process.ts";
export type { PiPlace, PiRun } from "./drive/pi-run.ts";
export { openRpc, Rpc } from "./drive/rpc.ts";
export { runJson, runPi, runPrint } from "./drive/run-print.ts";
export { openTerminal, Terminal, type TerminalSize } from "./drive/terminal.ts";
export { PiFailure } from "./drive/transcript.ts";
export { withTmux } from "./drive/with-tmux.ts";
export { extensionPath, probePath } from "./extension-path.ts";
export { createPiHome, type PiHomeOptions } from "./home/pi-home.ts";
export { billed, type CachePrices } from "./model/billed.ts";
export { MissingPi } from "./pi/missing-pi.ts";
export { type PiCommand, type PiVersion, piVersions } from "./pi/pi-versions.ts";
export { canRunPi, preparePi } from "./pi/prepare-pi.ts";
export type { Play, PlayOptions } from "./play/play.ts";
export { type ScriptedModel, startScriptedModel } from "./play/scripted-model.ts";
export type { CapturedRequest } from "./wire/captured-request.ts";
export { type WireFormat, wireFormats } from "./wire/formats.ts";
export type { Json, JsonObject } from "./wire/json.ts";
export type { CountedTokens } from "./wire/prefix-cache.ts";
export { promptText } from "./wire/prompt-text.ts";
export type { Answerer, Script, ScriptedAnswer, ScriptedCall } from "./wire/script.ts";
export type { SentBlock, SentMessage, SentPrompt } from "./wire/sent-prompt.ts";
