import type {
  FileTouch,
  IncomingAssistant,
  IncomingResult,
  IncomingUser,
  JsonObject,
  StepRecord,
} from "@cm/object-model";
import { at } from "./map-source.ts";

export function user(text: string): IncomingUser {
  return { role: "user", text };
}

export function result(callId: string, text: string | null, rest: Partial<IncomingResult> = {}): IncomingResult {
  return { role: "tool", callId, text, failed: false, ...rest };
}

export function call(callId: string, tool = "bash", args: JsonObject = { command: callId }) {
  return { callId, tool, args };
}

/** An answer in words only. */
export function says(text: string): StepRecord {
  return { answer: { role: "assistant", text } };
}

/** An answer with calls, each given as its result. */
export function runs(...results: readonly IncomingResult[]): StepRecord {
  return { answer: answering(...results.map(({ callId }) => call(callId))), results };
}

export function answering(...calls: NonNullable<IncomingAssistant["calls"]>): IncomingAssistant {
  return { role: "assistant", text: "", calls };
}

/** A call that read a file, and showed all of it from line 1 on. */
export function reads(path: string, text: string, callId = `read ${path}`): StepRecord {
  return runs(result(callId, text, { files: [touch(path, "read", { startLine: 1 })] }));
}

export function touch(path: string, as: FileTouch["as"], span?: FileTouch["span"]): FileTouch {
  return { binding: at(path), as, ...(span === undefined ? {} : { span }) };
}
