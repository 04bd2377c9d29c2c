import type { FileTouch, IncomingResult } from "@cm/context-log";
import { at, MapSource } from "./map-source.ts";
import type { Action } from "./script.ts";

/**
 * A script with call ids and paths of its own, so that two sessions of one store can both go on and meet nothing of each
 * other's: then each must be what it would have been alone.
 */
export function onSide(side: string, script: readonly Action[]): readonly Action[] {
  return script.map((action) => ownAction(side, action));
}

/** The same files in a second world, which goes its own way from here on. */
export function copyOf(source: MapSource): MapSource {
  const copy = new MapSource();
  for (const [path, content] of source.files) copy.files.set(path, content);
  for (const path of source.unreachable) copy.unreachable.add(path);
  copy.displayRoot = source.displayRoot;
  return copy;
}

function ownAction(side: string, action: Action): Action {
  switch (action.do) {
    case "write":
    case "unplug":
    case "foreign read":
      return { ...action, path: ownPath(side, action.path) };
    case "receive":
      return {
        ...action,
        messages: action.messages.map((message) => (message.role === "tool" ? ownResult(side, message) : message)),
      };
    case "record": {
      const { answer, results = [] } = action.record;
      const calls = (answer.calls ?? []).map((call) => ({ ...call, callId: `${call.callId}~${side}` }));
      const record = {
        ...action.record,
        answer: { ...answer, calls },
        results: results.map((result) => ownResult(side, result)),
      };
      return { ...action, record };
    }
    default:
      return action;
  }
}

function ownResult(side: string, result: IncomingResult): IncomingResult {
  const files = (result.files ?? []).map((touch) => ownTouch(side, touch));
  return { ...result, callId: `${result.callId}~${side}`, files };
}

function ownTouch(side: string, touch: FileTouch): FileTouch {
  const { path } = touch.binding as ReturnType<typeof at>;
  return { ...touch, binding: at(ownPath(side, path)) };
}

const ownPath = (side: string, path: string): string => `/${side}${path}`;

/** A script in which every call has an id of its own, so that no id needs the name of its session. */
export function withPlainCalls(script: readonly Action[]): readonly Action[] {
  let count = 0;
  const next = () => {
    count += 1;
    return `plain ${count}`;
  };
  return script.map((action) => {
    if (action.do === "receive") {
      const messages = action.messages.map((message) =>
        message.role === "tool" ? { ...message, callId: next() } : message,
      );
      return { ...action, messages };
    }
    if (action.do !== "record") return action;
    const { answer, results = [] } = action.record;
    const left = (answer.calls ?? []).map((call) => ({ was: call.callId, call: { ...call, callId: next() } }));
    const calls = left.map(({ call }) => call);
    const named = results.map((result) => {
      const place = left.findIndex(({ was }) => was === result.callId);
      const [found] = place < 0 ? [] : left.splice(0, place + 1).slice(-1);
      return { ...result, callId: found?.call.callId ?? next() };
    });
    return { ...action, record: { ...action.record, answer: { ...answer, calls }, results: named } };
  });
}
