import type { ContextView, PromptDecision, PromptMessage, Renderer } from "@cm/context-log";
import { defined } from "@cm/object-model";
import { openSimplePolicy } from "../policy/simple-policy.ts";
import { promptOf, simpleRenderer } from "../policy/simple-renderer.ts";
import { type PlantedPolicyBug, rendering } from "./planted-policy-bug.ts";

export const bugsOfPolicyPrompts: readonly PlantedPolicyBug[] = [
  rendering("Output of failed calls is left out.", ["POL-020"], (messages) =>
    messages.filter(({ failed }) => failed !== true),
  ),
  rendering("Output stands behind what was said after it.", ["POL-020"], (messages) => [
    ...messages.filter(({ role }) => role !== "tool"),
    ...messages.filter(({ role }) => role === "tool"),
  ]),
  rendering("Thinking of past turns is left out.", ["POL-021"], (messages, view) =>
    messages.map((message, at) =>
      isPast(view, at) && message.role === "assistant" ? { ...message, thinking: [] } : message,
    ),
  ),
  rendering("Thinking stays beside arguments that were shortened.", ["POL-021"], (messages, view) =>
    messages.map((message, at) => (isPast(view, at) ? withoutArgs(message) : message)),
  ),
  rendering("Thinking of the current turn goes with shortened arguments.", ["POL-021"], (messages, view) =>
    messages.map((message, at) =>
      !isPast(view, at) && message.thinking !== undefined ? { ...withoutArgs(message), thinking: [] } : message,
    ),
  ),
  rendering("What was said long ago is cut.", ["POL-021"], (messages, view) =>
    messages.map((message, at) => {
      if (!isPast(view, at) || message.role === "tool") return message;
      const text = message.text.slice(0, 10);
      return { ...message, id: `${message.id} cut`, text, chars: message.chars - message.text.length + text.length };
    }),
  ),
  rendering("What the user said is left out.", ["POL-021"], (messages) => messages.slice(1)),
  rendering("A summary speaks for the user.", ["POL-025"], (messages, { step }) => [topOf(step), ...messages]),
  rendering("Arguments give way to a name.", ["POL-026"], (messages) =>
    messages.map((message) => ({
      ...message,
      ...defined({
        calls: message.calls?.map((call) => ({ ...call, args: { ref: call.callId } })),
      }),
    })),
  ),
  rendering("A message keeps its id when its text changes.", ["POL-022"], (messages) =>
    messages.map((message) => ({ ...message, id: message.id.slice(0, message.id.indexOf("~")) })),
  ),
  claiming("A prompt says that it keeps all that was sent.", ["POL-023"], (view, decision) => {
    const prompt = simpleRenderer.render(view, decision);
    const { messages = [], chars = 0 } = view.sent ?? {};
    return { ...prompt, kept: { messages: messages.length, chars } };
  }),
  claiming("A prompt counts its messages and not their characters.", ["POL-023"], (view, decision) => {
    const prompt = simpleRenderer.render(view, decision);
    return { ...prompt, chars: prompt.messages.length };
  }),
  rendering("Something new stands on top of each prompt.", ["POL-024"], (messages, { step }) => [
    topOf(step),
    ...messages,
  ]),
  claiming("Nothing that was sent is known to be kept.", ["POL-024"], (view, decision) => ({
    ...promptOf(view, simpleRenderer.render(view, decision).messages),
    kept: { messages: 0, chars: 0 },
  })),
];

function claiming(name: string, caughtBy: readonly string[], render: Renderer["render"]): PlantedPolicyBug {
  const renderer = {
    ...simpleRenderer,
    render: (view: ContextView, decision: PromptDecision) => render(view, decision),
  };
  return { name, caughtBy, open: () => ({ ...openSimplePolicy(), renderer }) };
}

const isPast = (view: ContextView, at: number): boolean => (view.log[at]?.turn ?? view.turn) < view.turn;

const withoutArgs = (message: PromptMessage): PromptMessage => ({
  ...message,
  ...defined({ calls: message.calls?.map((call) => ({ ...call, args: {} })) }),
});

function topOf(step: number): PromptMessage {
  const text = `This is request ${step}.`;
  return { id: `top~${step}`, role: "user", text, chars: text.length };
}
