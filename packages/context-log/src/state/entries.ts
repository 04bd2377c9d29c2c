import { type DocumentOf, defined, type JsonObject, type StepMessage } from "@cm/object-model";
import type { CallEntry, LogEntry, ResumedEntry } from "../log-entries.ts";
import type { OpenCalls } from "./open-calls.ts";

/** A tool call's object, or undefined where it was erased. */
export type ToolcallLookup = (id: string) => DocumentOf<"toolcall"> | undefined;

interface Place {
  readonly at: number;
  readonly step: number;
  readonly turn: number;
}

/** A step's message as an entry of the log. Erased objects leave their place with null text. */
export function entryOf(message: StepMessage, place: Place, toolcall: ToolcallLookup, openCalls: OpenCalls): LogEntry {
  switch (message.role) {
    case "user":
      return { kind: "user", ...place, text: message.text, attachments: message.attachments ?? [] };
    case "assistant":
      return {
        kind: "assistant",
        ...place,
        text: message.text,
        thinking: message.thinking ?? [],
        calls: (message.calls ?? []).map((call): CallEntry => {
          const document = call.object === undefined ? undefined : toolcall(call.object);
          return {
            callId: call.call_id,
            tool: call.tool,
            args: (document?.args ?? call.args ?? {}) as JsonObject,
            object: call.object,
            files: document?.file_refs ?? [],
          };
        }),
      };
    case "tool": {
      const document = toolcall(message.object);
      const call = openCalls.callOf({ callId: message.call_id, object: message.object });
      return {
        kind: "result",
        ...place,
        callId: message.call_id,
        object: message.object,
        tool: document?.tool ?? call?.tool ?? "unknown",
        args: (document?.args ?? call?.args ?? {}) as JsonObject,
        status: document?.status ?? "fail",
        text: document?.content ?? null,
        attachments: document?.attachments ?? [],
        files: document?.file_refs ?? [],
        spans: document?.spans ?? [],
        ...(document?.shows === undefined ? {} : { shows: document.shows }),
      };
    }
  }
}

type Resumed = NonNullable<DocumentOf<"step">["resumed"]>;

/** Working copies and paths that changed while a session was closed, as its entry in the log names them. */
export function resumedPlaces({
  checkouts,
  paths,
}: {
  readonly checkouts: NonNullable<Resumed["checkouts"]>;
  readonly paths: NonNullable<Resumed["paths"]>;
}): Pick<ResumedEntry, "checkouts" | "paths"> {
  return {
    checkouts: checkouts.map(({ was, now }) => defined({ was, now })),
    ...(paths.length === 0
      ? {}
      : { paths: paths.map(({ file, ...path }) => (file === undefined ? path : { ...path, object: file })) }),
  };
}
