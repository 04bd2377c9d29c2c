import type { FileTouch, IncomingAssistant, IncomingResult, IncomingUser, StepRecord } from "@cm/context-log";
import { defined, type JsonObject, type SourceBinding } from "@cm/object-model";

type Calls = NonNullable<IncomingAssistant["calls"]>;

/** What a harness tells a session, in few words. `bindingOf` says where a path is, for calls that touch files. */
export function incomingWords(bindingOf: (path: string) => SourceBinding) {
  const touch = (path: string, as: FileTouch["as"], span?: FileTouch["span"]): FileTouch => ({
    binding: bindingOf(path),
    as,
    ...defined({ span }),
  });
  return {
    user,
    result,
    call,
    says,
    answering,
    runs,
    touch,
    /** A call that read a file, and showed all of it from line 1 on. */
    reads: (path: string, text: string, callId = `read ${path}`): StepRecord =>
      runs(result(callId, text, { files: [touch(path, "read", { startLine: 1 })] })),
  };
}

function user(text: string): IncomingUser {
  return { role: "user", text };
}

function result(callId: string, text: string | null, rest: Partial<IncomingResult> = {}): IncomingResult {
  return { role: "tool", callId, text, failed: false, ...rest };
}

function call(callId: string, tool = "bash", args: JsonObject = { command: callId }): Calls[number] {
  return { callId, tool, args };
}

/** An answer in words only. */
function says(text: string): StepRecord {
  return { answer: { role: "assistant", text } };
}

function answering(...calls: Calls): IncomingAssistant {
  return { role: "assistant", text: "", calls };
}

/** An answer with calls, each given as its result. */
function runs(...results: readonly IncomingResult[]): StepRecord {
  return { answer: answering(...results.map(({ callId }) => call(callId))), results };
}
