import { defined } from "@cm/object-model";
import type { Random } from "@cm/testkit";

const base = Date.parse("2026-02-16T10:20:30.000Z");

type Entry = Record<string, unknown>;

/**
 * A random tree as an agent grows it: turns with calls and results, branches, all eleven kinds of entries and two of Pi's
 * own, unknown kinds and fields, long texts, texts that look like ours, and what goes wrong in files.
 * @param by `pi`: fields of the other agent's own are as Pi writes them
 */
export function randomSession(
  random: Random,
  id: string,
  by: "any" | "pi" = "any",
): { readonly header: Entry; readonly entries: Entry[] } {
  const entries: Entry[] = [];
  const count = 1 + random.below(40);
  const calls: string[] = [];
  for (let place = 0; place < count; place += 1) {
    const parentId = parentOf(random, entries);
    const timestamp = new Date(base + 1000 * place).toISOString();
    const body = random.chance(0.6)
      ? turnBody(random, `${id}${place}`, calls)
      : randomBody(random, entries, `e${place}`);
    const odd = random.chance(0.1) ? { "@odd": { deep: [`@["x"]`, "@", null, 1.5] } } : {};
    const asWritten = by === "pi" ? asPiWrites(body) : body;
    entries.push({ ...asWritten, id: `e${place}`, parentId, timestamp, ...odd });
  }
  return {
    header: { type: "session", version: 3, id, timestamp: new Date(base).toISOString(), cwd: "/work", odd: "@[" },
    entries,
  };
}

function asPiWrites({ model, role, ...body }: Entry): Entry {
  if (body.type !== "model_change" || typeof model !== "string") return { ...body, ...defined({ model, role }) };
  const [provider, modelId] = model.split("/");
  return { ...body, provider, modelId };
}

function parentOf(random: Random, entries: readonly Entry[]): unknown {
  if (entries.length === 0 || random.chance(0.03)) return null;
  if (random.chance(0.02)) return "lost";
  return (random.chance(0.85) ? entries.at(-1) : random.pick(entries))?.id ?? null;
}

const text = (random: Random, id: string): string =>
  random.pick([id, `@${id}`, `${id} \ud800`, `${id} long text. `.repeat(1 + random.below(30)), ""]);

const content = (random: Random, id: string): unknown =>
  random.pick<unknown>([
    text(random, id),
    [{ type: "text", text: text(random, id), textSignature: "s" }],
    [{ type: "text", text: `${id} one `.repeat(20) }, { type: "odd" }, { type: "text", text: `${id} two `.repeat(20) }],
    [],
    [{ type: "image", mimeType: "image/png", data: Buffer.from(id.repeat(40)).toString("base64") }],
  ]);

/** What makes steps: prompts, answers with calls, results of calls that were made, and of others. */
function turnBody(random: Random, id: string, calls: string[]): Entry {
  const dice = random.below(3);
  if (dice === 0) return { type: "message", message: { role: "user", content: content(random, id), timestamp: 3 } };
  if (dice === 1 && calls.length > 0) {
    const toolCallId = random.chance(0.1) ? "none" : (calls.at(-1 - random.below(Math.min(2, calls.length))) ?? "");
    const details = random.chance(0.3) ? { diff: `${id} diff `.repeat(20) } : undefined;
    return {
      type: "message",
      message: {
        role: "toolResult",
        toolCallId,
        toolName: "read",
        content: content(random, id),
        isError: random.chance(0.2),
        details,
      },
    };
  }
  const call = {
    type: "toolCall",
    id: random.pick([id, "call_1"]),
    name: "write",
    arguments: { path: "a.ts", content: `${id} body `.repeat(20), b: { "@": "@" } },
  };
  const parts: unknown[] = [
    { type: "thinking", thinking: `${id} hm `.repeat(20), thinkingSignature: "sign".repeat(30) },
    { type: "text", text: text(random, id) },
  ];
  if (random.chance(0.6)) {
    parts.push(call);
    calls.push(call.id);
  }
  const usage = { input: 1, output: 2, cacheRead: 3, cacheWrite: 4, totalTokens: 10, cost: { total: 0.5 } };
  const stopReason = random.pick(["stop", "toolUse", "error", "aborted"]);
  return {
    type: "message",
    message: {
      role: "assistant",
      content: parts,
      usage,
      stopReason,
      provider: "p",
      model: "m",
      api: "a",
      timestamp: 4,
    },
  };
}

function randomBody(random: Random, entries: readonly Entry[], id: string): Entry {
  const target = () => (entries.length === 0 || random.chance(0.05) ? "gone" : random.pick(entries).id);
  const kinds: readonly (() => Entry)[] = [
    () => ({ type: "thinking_level_change", thinkingLevel: random.pick(["off", "low", null]) }),
    () => ({
      type: "model_change",
      ...random.pick<Entry>([
        { model: "openai/gpt", role: "smol" },
        { provider: "z", modelId: "a/b" },
      ]),
    }),
    () => ({
      type: "compaction",
      summary: `sum ${id} `.repeat(9),
      firstKeptEntryId: target(),
      tokensBefore: 7,
      preserveData: { a: 1 },
    }),
    () => ({
      type: "branch_summary",
      fromId: target(),
      summary: random.pick(["", "left ".repeat(30)]),
      fromHook: true,
    }),
    () => ({ type: "custom", customType: "ext", data: { __proto__: null, at: id } }),
    () => ({ type: "custom_message", customType: "ext", content: content(random, id), display: true, details: { id } }),
    () => ({ type: "label", targetId: target(), label: random.pick(["one", "", undefined]) }),
    () => ({ type: "ttsr_injection", injectedRules: ["a", id] }),
    () => ({ type: "session_init", systemPrompt: `Be ${id}. `.repeat(20), task: "t", tools: ["read"] }),
    () => ({ type: "mode_change", mode: "plan", data: { a: id } }),
    () => ({ type: "session_info", name: id }),
    () => ({
      type: "context_edit",
      targetId: target(),
      replacement: random.pick([null, { content: "edited ".repeat(20) }]),
    }),
    () => ({ type: "of_tomorrow", data: { id, "@": "@@" } }),
    () => ({
      type: "message",
      message: { role: "bashExecution", command: id, output: `${id} out `.repeat(20), exitCode: 0 },
    }),
    () => ({ type: "message", message: { role: "system", content: id } }),
    () => ({ type: "message", message: { role: "user", content: null } }),
  ];
  return random.pick(kinds)();
}
