/** Each provider's wire format, and the model that follows a script. What drives a real Pi is in `./real-pi`. */
export { checkStrictly } from "./checks/check-strictly.ts";
export { checkStructure } from "./checks/check-structure.ts";
export { billed, type CachePrices } from "./model/billed.ts";
export type { CapturedRequest } from "./model/captured-request.ts";
export type { Play, PlayOptions } from "./model/play.ts";
export { type CountedTokens, PrefixCache } from "./model/prefix-cache.ts";
export type { Answerer, GivenAnswer, Script, ScriptedAnswer, ScriptedCall } from "./model/script.ts";
export { type ScriptedModel, startScriptedModel } from "./model/scripted-model.ts";
export { signatureOf } from "./model/signature.ts";
export { type WireFormat, wireFormats } from "./wire/formats.ts";
export type { Json, JsonObject } from "./wire/json.ts";
export { pieceOf } from "./wire/pieces.ts";
export { promptText } from "./wire/prompt-text.ts";
export type { Piece, SentBlock, SentMessage, SentPrompt } from "./wire/sent-prompt.ts";
export type { ModelAnswer, ToolDeclaration, Wire, WireRequest } from "./wire/wire.ts";
export type { WireErrorCode } from "./wire/wire-error.ts";
export { isProtocol, type Protocol, readAnswer, wires } from "./wire/wires.ts";
