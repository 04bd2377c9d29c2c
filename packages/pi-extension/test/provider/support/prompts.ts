import { breakpointsOf, type PromptMessage, providerPrices, type RenderedPrompt } from "@cm/context-log";

const pixel = { sha256: "0".repeat(64), mime: "image/png", bytes: 4 };

export const user = (id: string, text = `Please look into ${id}.`): PromptMessage => said(id, "user", text);

export const answer = (id: string, text = `I looked into ${id}.`): PromptMessage => said(id, "assistant", text);

/** An answer with calls, and thinking before it. */
export const asks = (id: string, ...callIds: readonly string[]): PromptMessage => ({
  ...said(id, "assistant", ""),
  thinking: [{ text: `Thoughts on ${id}`, signature: "c2ln" }],
  calls: callIds.map((callId) => ({ callId, tool: "read", args: { path: `src/${callId}.ts` } })),
});

export const result = (id: string, callId: string, text = `text of ${callId} `.repeat(40)): PromptMessage => ({
  ...said(id, "tool", text),
  callId,
});

export const pictured = (message: PromptMessage): PromptMessage => ({ ...message, attachments: [pixel] });

function said(id: string, role: PromptMessage["role"], text: string): PromptMessage {
  return { id, role, text, chars: text.length };
}

/** A prompt as a session makes it after another one, with the marks that it would record. */
export function promptAfter(
  sent: RenderedPrompt | undefined,
  messages: readonly PromptMessage[],
  layout = "log/1",
): RenderedPrompt {
  const before = sent?.messages ?? [];
  const changed = messages.findIndex(({ id }, place) => before[place]?.id !== id);
  const same = Math.min(changed === -1 ? messages.length : changed, before.length);
  const charsOf = (list: readonly PromptMessage[]): number => list.reduce((sum, { chars }) => sum + chars, 0);
  const kept = { messages: same, chars: charsOf(messages.slice(0, same)) };
  const prompt = { layout, system: "Be brief.", messages, chars: charsOf(messages), kept };
  const breakpoints = breakpointsOf(prompt, sent, providerPrices.anthropic5m);
  return breakpoints === undefined ? prompt : { ...prompt, breakpoints };
}
