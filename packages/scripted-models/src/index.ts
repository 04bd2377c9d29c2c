/** Each provider's wire format, and the model that follows a script. What drives a real Pi is in `./real-pi`. */
export { checkStrictly } from "./checks/check-strictly.ts";
export { checkStructure } from "./checks/check-structure.ts";
export { billed, type CachePrices } from "./model/billed.ts";
export type { Play, PlayOptions } from "./play/play.ts";
export { type ScriptedModel, startScriptedModel } from "./play/scripted-model.ts";
export type { CapturedRequest, GivenAnswer } from "./wire/captured-request.ts";
export { type WireFormat, wireFormats } from "./wire/formats.ts";
export type { Json, JsonObject } from "./wire/json.ts";
export { pieceOf } from "./wire/pieces.ts";
export { type CountedTokens, PrefixCache } from "./wire/prefix-cache.ts";
export { promptText } from "./wire/prompt-text.ts";
export type { Answerer, Script, ScriptedAnswer, ScriptedCall } from "./wire/script.ts";
export type { Piece, SentBlock, SentMessage, SentPrompt } from "./wire/sent-prompt.ts";
export { signatureOf } from "./wire/signature.ts";
export type { ModelAnswer, ToolDeclaration, Wire, WireRequest } from "./wire/wire.ts";
export type { WireErrorCode } from "./wire/wire-error.ts";
export { isProtocol, type Protocol, readAnswer, wires } from "./wire/wires.ts";
