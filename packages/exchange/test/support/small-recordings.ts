const at = (second: number) => new Date(Date.parse("2026-02-16T10:20:30.000Z") + 1000 * second).toISOString();
const rollout = (type: string, payload: object) => ({ timestamp: at(0), type, payload });
const item = (type: string, rest: object) => rollout("response_item", { type, ...rest });
const long = "a line of a file\n".repeat(40);

/** Lines of session files of three agents, each with a call, its result and a further turn. */
export const smallRecordings: Readonly<Record<string, readonly object[]>> = {
  pi: [
    // The first version of Pi's files has no ids.
    { type: "session", id: "small-pi", timestamp: at(0), cwd: "/work" },
    { type: "message", timestamp: at(1), message: { role: "user", content: "Read a.ts." } },
    {
      type: "message",
      timestamp: at(2),
      message: {
        role: "assistant",
        content: [{ type: "toolCall", id: "t1", name: "read", arguments: { path: "a.ts" } }],
        ...{ api: "a", provider: "p", model: "m", stopReason: "toolUse" },
        usage: { input: 1, output: 2, cacheRead: 3, cacheWrite: 4, totalTokens: 10, cost: { total: 0 } },
      },
    },
    {
      type: "message",
      timestamp: at(3),
      message: {
        ...{ role: "toolResult", toolCallId: "t1", toolName: "read", isError: false },
        content: [{ type: "text", text: long }],
      },
    },
    { type: "message", timestamp: at(4), message: { role: "user", content: "Thank you." } },
  ],
  claude: [
    {
      type: "user",
      sessionId: "small-claude",
      uuid: "u1",
      parentUuid: null,
      cwd: "/work",
      message: { content: "Go." },
    },
    {
      ...{ type: "assistant", uuid: "u2", parentUuid: "u1" },
      message: {
        ...{ id: "m1", model: "claude", usage: { input_tokens: 9, output_tokens: 4 } },
        content: [{ type: "tool_use", id: "t1", name: "Read", input: { file_path: "a.ts" } }],
      },
    },
    {
      ...{ type: "user", uuid: "u3", parentUuid: "u2" },
      message: { content: [{ type: "tool_result", tool_use_id: "t1", content: long }] },
    },
    {
      ...{ type: "assistant", uuid: "u4", parentUuid: "u3" },
      message: { id: "m2", model: "claude", content: [{ type: "text", text: "Done." }] },
    },
  ],
  codex: [
    rollout("session_meta", { id: "small-codex", cwd: "/work", base_instructions: { text: "You are Codex." } }),
    rollout("turn_context", { model: "gpt-5.5" }),
    item("message", { role: "user", content: [{ type: "input_text", text: "List." }] }),
    rollout("event_msg", { type: "user_message" }),
    item("function_call", { call_id: "c1", name: "shell", arguments: JSON.stringify({ command: ["ls"] }) }),
    item("function_call_output", { call_id: "c1", output: long }),
    item("message", { role: "assistant", content: [{ type: "output_text", text: "Listed." }] }),
  ],
};
