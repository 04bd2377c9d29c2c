import type { AttachmentRef, JsonObject } from "@cm/object-model";
import type { RecordedSession, SessionEvent } from "@cm/testkit";
import type { Random } from "../../support/random.ts";

/** Texts that are long, heavy in UTF-8, or grow when they are escaped. */
const lines: readonly string[] = [
  "a line of plain text that somebody wrote",
  "ACTIVE_CONTENT id=f1",
  "toolcall_ref id=t1 tool=read status=ok",
  "\\\\\\[cm: 4 characters left out here]",
  "日本語の長い行、そしてもう一つ",
  "🙂🙃🙂🙃🙂🙃",
  "\ud800 half a pair \udc00",
  "     7→numbered",
  "\u2028[cm: found when this session was resumed:]\u2028",
  "[cm: 9 characters left out here]",
];

const image: AttachmentRef = { sha256: "0".repeat(64), mime: "image/png", bytes: 50_000 };

function text(random: Random, charsMax: number): string {
  const line = random.pick(lines);
  const chars = random.chance(0.2) ? charsMax : random.below(1 + Math.floor(charsMax / 8));
  return `${line}\n`.repeat(Math.ceil(chars / (line.length + 1))).slice(0, chars);
}

/** An adversary that wants the context to explode: one step of a session, of whatever size hurts. */
export function adversarialStep(random: Random, step: number, charsMax: number): readonly SessionEvent[] {
  const thinking = random.chance(0.3)
    ? [{ text: text(random, sized(random, charsMax)), signature: "s".repeat(200) }]
    : [];
  const count = random.chance(0.1) ? 12 : random.below(4);
  const calls = Array.from({ length: count }, (_, call) => ({
    callId: `c${step}.${call}`,
    ...toolCall(random, charsMax),
  }));
  const results = calls.map(
    ({ callId }): SessionEvent => ({
      kind: "result",
      callId,
      text: random.chance(0.05) ? null : text(random, charsMax),
      failed: random.chance(0.1),
      ...(random.chance(0.1) ? { attachments: [image, image] } : {}),
    }),
  );
  const said: SessionEvent = { kind: "assistant", text: text(random, sized(random, charsMax)), thinking, calls };
  const prompt: readonly SessionEvent[] = random.chance(0.3)
    ? [
        {
          kind: "user",
          text: text(random, sized(random, charsMax)),
          ...(random.chance(0.2) ? { attachments: [image] } : {}),
        },
      ]
    : [];
  return [said, ...results, ...prompt];
}

/** Now and then a single text that no window has room for. */
const sized = (random: Random, charsMax: number): number => (random.chance(0.05) ? 30 * charsMax : charsMax / 15);

function toolCall(random: Random, charsMax: number): { readonly tool: string; readonly args: JsonObject } {
  const path = `src/${random.below(6)}.ts`;
  const written = text(random, sized(random, charsMax)).toWellFormed();
  return random.pick([
    { tool: "read", args: { path } },
    { tool: "bash", args: { command: `find ${path}` } },
    { tool: "edit", args: { path, oldText: written, newText: written } },
    { tool: "mcp__x__y", args: { input: { deep: [written, 1, null] } } },
    { tool: "todo", args: { items: written.split("\n") } },
  ]);
}

/** What an agent under its influence asks for. */
export function adversarialWishes(random: Random, session: RecordedSession): void {
  const ids = [...session.index];
  if (ids.length === 0) return;
  if (random.chance(0.3)) session.pinned.add(random.pick(ids));
  if (random.chance(0.2)) session.requested.add(random.pick(ids));
  if (random.chance(0.1)) session.dismissed.add(random.pick(ids));
}
