/** One tool call of a made-up session, with what it said and what the provider counted. */
export interface RecordedTurn {
  readonly tool: string;
  readonly args: object;
  readonly output: string;
  readonly usage?: { readonly input: number; readonly cacheRead: number; readonly output: number };
}

/** A session file of Pi: one prompt, a call in each answer, and a last answer that calls nothing. */
export function piSession(
  id: string,
  turns: readonly RecordedTurn[],
  { cwd = "/made/up/project", last = "Done." }: { readonly cwd?: string; readonly last?: string } = {},
): string {
  const lines: object[] = [{ type: "session", version: 3, id, timestamp: stamp(0), cwd }];
  const add = (message: object): void => {
    const before = lines.length === 1 ? null : `e${lines.length - 1}`;
    lines.push({ type: "message", id: `e${lines.length}`, parentId: before, timestamp: stamp(lines.length), message });
  };
  add({ role: "user", content: "Go on, please." });
  for (const [at, { tool, args, output, usage }] of turns.entries()) {
    const call = { type: "toolCall", id: `call-${at}`, name: tool, arguments: args };
    add({ ...answer, content: [call], stopReason: "toolUse", ...counted(usage) });
    add({
      role: "toolResult",
      toolCallId: call.id,
      toolName: tool,
      content: [{ type: "text", text: output }],
      isError: false,
    });
  }
  add({ ...answer, content: [{ type: "text", text: last }], stopReason: "stop", ...counted(turns.at(-1)?.usage) });
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}

const answer = { role: "assistant", api: "anthropic-messages", provider: "anthropic", model: "claude", timestamp: 4 };

const counted = (usage: RecordedTurn["usage"]) =>
  usage === undefined ? {} : { usage: { ...usage, cacheWrite: 0, totalTokens: 0, cost: { total: 0 } } };

const stamp = (second: number): string => new Date(Date.UTC(2026, 0, 2, 3, 4, second)).toISOString();
