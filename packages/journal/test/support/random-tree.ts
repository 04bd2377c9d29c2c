import type { Random } from "@cm/testkit";
import { dialects, type SessionEntry } from "../../src/index.ts";

const base = Date.parse("2026-02-16T10:20:30.000Z");

/** A random tree of the kinds that both programs know, with what goes wrong in files: lost parents, empty contents. */
export function randomTree(random: Random): SessionEntry[] {
  const entries: SessionEntry[] = [];
  const count = 1 + random.below(30);
  for (let place = 0; place < count; place += 1) {
    const parentId = parentOf(random, entries);
    const timestamp = new Date(base + 1000 * place).toISOString();
    const body = randomBody(random, entries, `e${place}`);
    entries.push(dialects.pi.encode({ ...body, id: `e${place}`, parentId, timestamp } as SessionEntry));
  }
  return entries;
}

function parentOf(random: Random, entries: readonly SessionEntry[]): string | null {
  if (entries.length === 0 || random.chance(0.03)) return null;
  if (random.chance(0.02)) return "lost";
  return (random.chance(0.75) ? entries.at(-1) : random.pick(entries))?.id ?? null;
}

const roles = ["user", "assistant", "toolResult", "custom", "bashExecution", "system"] as const;

function randomBody(random: Random, entries: readonly SessionEntry[], id: string): object {
  const target = () => (entries.length === 0 || random.chance(0.05) ? "gone" : random.pick(entries).id);
  const kinds: readonly (() => object)[] = [
    () => ({ type: "message", message: randomMessage(random, id) }),
    () => ({ type: "message", message: randomMessage(random, id) }),
    () => ({ type: "message", message: randomMessage(random, id) }),
    () => ({ type: "thinking_level_change", thinkingLevel: random.pick(["off", "low", "high"]) }),
    () => ({ type: "model_change", model: random.pick(["openai/gpt", "z/a/b"]) }),
    () => ({ type: "branch_summary", fromId: target(), summary: random.pick(["", "left"]), fromExtension: true }),
    () => ({ type: "custom", customType: "ext", data: 1 }),
    () => ({ type: "custom_message", customType: "ext", content: id, display: random.chance(0.5), details: { id } }),
    () => ({ type: "label", targetId: target(), label: random.pick(["one", ""]) }),
    () => ({ type: "session_info", name: id }),
    () => ({
      type: "compaction",
      summary: `sum ${id}`,
      firstKeptEntryId: random.chance(0.1) ? id : target(),
      tokensBefore: 7,
      ...(random.chance(0.3) ? { systemMessage: { role: "system", content: id } } : {}),
    }),
    () => ({
      type: "context_edit",
      targetId: target(),
      replacement: random.pick([null, { content: "edited" }, { content: [{ type: "text", text: "edited" }] }]),
    }),
    () => ({ type: "of_tomorrow", data: { id } }),
  ];
  return random.pick(kinds)();
}

function randomMessage(random: Random, id: string): object {
  const role = random.pick(roles);
  const content = random.pick([id, [{ type: "text", text: id }], []]);
  const model = role === "assistant" ? { provider: "anthropic", model: random.pick(["a", "b"]) } : {};
  const said = role === "bashExecution" ? { command: id, output: "" } : { content };
  return { role, ...model, ...(random.chance(0.05) ? { content: null } : said), timestamp: 3 };
}
