import type { WireFormat } from "../wire/formats.ts";
import type { SentMessage } from "../wire/sent-prompt.ts";

/** Each answer's calls have their results directly behind it, before anything else, and there are no others. */
export function checkPairs(messages: readonly SentMessage[], format: WireFormat): string[] {
  const said: string[] = [];
  const seen = new Set<string>();
  const open = new Set<string>();
  const close = (at: number): void => {
    said.push(...unanswered(open, at));
    open.clear();
  };
  for (const [at, { role, blocks }] of messages.entries()) {
    if (role === "assistant") close(at);
    for (const block of blocks) {
      if (block.kind === "call") {
        if (seen.has(block.id)) said.push(`Message ${at} has a call with an id that was there already: ${block.id}.`);
        seen.add(block.id);
        open.add(block.id);
        said.push(...checkCall(block, { at, format }));
      } else if (block.kind === "result") {
        if (!open.delete(block.id)) said.push(`Message ${at} has a result that does not follow its call: ${block.id}.`);
      } else if (role !== "assistant") {
        close(at);
      }
    }
  }
  close(messages.length);
  return said;
}

const unanswered = (open: ReadonlySet<string>, at: number): string[] =>
  [...open].map((id) => `A call has no result before message ${at}: ${id}.`);

function checkCall(call: { id: string; args: string }, { at, format }: { at: number; format: WireFormat }): string[] {
  const charset = format === "anthropic-messages" ? /^[a-zA-Z0-9_-]{1,64}$/ : /^.{1,64}$/;
  return [
    ...(isObject(call.args) ? [] : [`Message ${at} has a call whose arguments are no object: ${call.id}.`]),
    ...(charset.test(call.id) ? [] : [`Message ${at} has a call with an id that is not allowed: ${call.id}.`]),
  ];
}

function isObject(json: string): boolean {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
