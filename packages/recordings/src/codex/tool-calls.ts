import { isRawObject, type RawObject } from "../raw-object.ts";
import type { RecordedCall } from "../recording.ts";
import type { CodexItem, CodexOutput } from "./line.ts";

/** The call in an item, undefined for an item that is none. `place` names calls that the file leaves unnamed. */
export function callOf(item: CodexItem, place: number): RecordedCall | undefined {
  switch (item.type) {
    case "function_call":
      return { id: item.call_id, name: item.name, args: argumentsOf(item.arguments) };
    case "custom_tool_call":
      return { id: item.call_id, name: item.name, args: { input: item.input } };
    case "local_shell_call":
      return { id: item.call_id ?? `local_shell-${place}`, name: "local_shell", args: item.action };
    case "web_search_call":
      return { id: `web_search-${place}`, name: "web_search", args: item.action, isOfProvider: true };
    case "tool_search_call":
      return { id: item.call_id, name: "tool_search", args: item.arguments };
    default:
      return undefined;
  }
}

/** A model may write what is no JSON object; that stands as it is. */
function argumentsOf(json: string): RawObject {
  try {
    const value: unknown = JSON.parse(json);
    if (isRawObject(value)) return value;
  } catch {}
  return { input: json };
}

/** Codex says in its first lines, or in JSON, how a command ended; a refused patch begins with its reason. */
export function saysFailure(printed: string): boolean {
  const head = printed.slice(0, headChars);
  const code = /^(?:Process exited with code|Exit code:) (-?\d+)$/m.exec(head.split(/^Output:$/m)[0] ?? "")?.[1];
  if (code !== undefined) return code !== "0";
  if (refusal.test(head)) return true;
  const [, json] = /"exit_code":\s*(-?\d+)[^{}]*\}\s*\}$/.exec(printed.slice(-headChars)) ?? [];
  return json !== undefined && printed.startsWith("{") && json !== "0";
}

/** The lines that Codex puts before an output are far shorter. */
const headChars = 2_000;
const refusal =
  /^(apply_patch verification failed|exec_command failed|write_stdin failed|failed to parse function arguments|unsupported call|aborted by user|execution error)/;

export function textOf(parts: CodexOutput): string {
  return parts.flatMap(({ text }) => text ?? []).join("\n");
}
