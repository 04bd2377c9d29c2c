import assert from "node:assert/strict";
import type { PromptMessage, RenderedPrompt } from "@cm/context-log";
import { canonicalJson, type JsonValue } from "@cm/object-model";
import { eachMoment, type Moment } from "../moments.ts";
import type { PolicyLaw } from "../policy-case.ts";
import { contentOf } from "../prompt-content.ts";

export const prompts: readonly PolicyLaw[] = [
  {
    id: "POL-020",
    clause: "SSOT 4.1",
    title: "Every call is answered once, right behind the message that made it and in the order of its calls.",
    holds: (subject) =>
      eachMoment(subject, {}, ({ view, prompt }) => {
        const called = view.log.flatMap((entry) => (entry.kind === "assistant" ? entry.calls : []));
        assert.deepEqual(
          prompt.messages.flatMap(({ callId }) => callId ?? []),
          called.map(({ callId }) => callId),
        );
        for (const [at, { calls = [] }] of prompt.messages.entries()) {
          const next = prompt.messages.slice(at + 1, at + 1 + calls.length);
          assert.deepEqual(
            next.map(({ callId }) => callId),
            calls.map(({ callId }) => callId),
          );
        }
      }),
  },
  {
    id: "POL-021",
    clause: "SSOT 4.4 (8)",
    title:
      "What was said and thought stands whole and in order, with every call by its id and tool; thinking goes with shortened arguments of a turn that is over.",
    holds: (subject) =>
      eachMoment(subject, {}, (moment) => {
        assert.deepEqual(spokenIn(moment.prompt), spokenInLog(moment));
        const users = moment.view.log.flatMap((entry) => (entry.kind === "user" ? [entry.text] : []));
        const shown = moment.prompt.messages.filter(({ role }) => role === "user").map(({ text }) => text);
        let place = 0;
        for (const text of users) place = shown.indexOf(text, place) + 1 || assert.fail("A user's text is missing.");
      }),
  },
  {
    id: "POL-025",
    clause: "SSOT 4.4 (11)",
    title: "Nothing of ours speaks for the user: what stands in that role is what was said.",
    asks: "rendered",
    holds: (subject) =>
      eachMoment(subject, {}, ({ view, prompt }) => {
        const said = view.log.filter(({ kind }) => kind === "user").length;
        assert.equal(prompt.messages.filter(({ role }) => role === "user").length, said);
      }),
  },
  {
    id: "POL-026",
    clause: "SSOT 4.4",
    title: "Arguments that are shortened keep their fields and the beginning of each text, and save 400 characters.",
    holds: (subject) =>
      eachMoment(subject, {}, ({ view, prompt }) => {
        const own = new Map(
          view.log.flatMap((entry) =>
            entry.kind === "assistant" ? entry.calls.map(({ callId, args }) => [callId, args] as const) : [],
          ),
        );
        for (const { callId, args } of prompt.messages.flatMap(({ calls = [] }) => calls)) {
          const whole = own.get(callId) ?? {};
          const [shown, full] = [canonicalJson(args), canonicalJson(whole)];
          if (shown === full) continue;
          assert.ok(keepsShape(args, whole), `The arguments of ${callId} have another shape`);
          assert.ok(full.length - shown.length >= 400, `The arguments of ${callId} were shortened for little`);
        }
      }),
  },
  {
    id: "POL-022",
    clause: "SSOT 4.4 (1)",
    title: "A message's id stands for its bytes, in every request of a session.",
    async holds(subject) {
      const known = new Map<string, string>();
      await eachMoment(subject, {}, ({ before, prompt }) => {
        if (before === undefined) known.clear();
        for (const message of prompt.messages) {
          const content = `${message.role} ${message.callId} ${contentOf(message)}`;
          assert.equal(known.get(message.id) ?? content, content, `${message.id} stands for two texts`);
          known.set(message.id, content);
        }
      });
    },
  },
  {
    id: "POL-023",
    clause: "SSOT 4.6",
    title: "A prompt says truly how long it is and how much of the one before it keeps.",
    holds: (subject) =>
      eachMoment(subject, {}, ({ before, prompt }) => {
        const lengths = prompt.messages.map((message) => contentOf(message).length);
        assert.deepEqual(
          prompt.messages.map(({ chars }) => chars),
          lengths,
        );
        assert.equal(
          prompt.chars,
          lengths.reduce((sum, length) => sum + length, 0),
        );
        const same = sharedStart(before?.prompt, prompt);
        assert.ok(prompt.kept.messages <= same.messages, "It keeps fewer messages than it says.");
        assert.ok(prompt.kept.chars <= same.chars, "It keeps less than it says.");
      }),
  },
  {
    id: "POL-024",
    clause: "SSOT 4.4 (1)",
    title: "Without a fold nothing that was sent changes.",
    asks: "rendered",
    holds: (subject) =>
      eachMoment(subject, {}, ({ before, decision, prompt }) => {
        if (decision.fold !== undefined || before === undefined) return;
        assert.equal(sharedStart(before.prompt, prompt).messages, before.prompt.messages.length);
        assert.equal(prompt.kept.messages, before.prompt.messages.length);
      }),
  },
];

/** How much of a text's beginning a reader needs to see what it was. */
const beginningChars = 20;

function keepsShape(shown: JsonValue | undefined, whole: JsonValue | undefined): boolean {
  if (typeof whole === "string") {
    return typeof shown === "string" && shown.startsWith(whole.slice(0, beginningChars));
  }
  if (typeof whole !== "object" || whole === null) return shown === whole;
  if (typeof shown !== "object" || shown === null) return false;
  const members = (value: object): Readonly<Record<string, JsonValue | undefined>> => ({ ...value });
  const [of, from] = [members(shown), members(whole)];
  const keys = Object.keys(from);
  return keys.length === Object.keys(of).length && keys.every((key) => keepsShape(of[key], from[key]));
}

const spokenIn = ({ messages }: RenderedPrompt): unknown =>
  messages
    .filter(({ role }) => role === "assistant")
    .map(({ text, thinking = [], calls = [] }) => ({ text, thinking, calls: calls.map(nameOf) }));

/** Thinking binds a message to its bytes: it is there exactly as long as the arguments beside it are whole. */
function spokenInLog({ view, prompt }: Moment): unknown {
  const shown = prompt.messages.filter(({ role }) => role === "assistant");
  const answers = view.log.flatMap((entry) => (entry.kind === "assistant" ? [entry] : []));
  return answers.map(({ text, thinking, calls, turn }, place) => {
    const isShortened = argsOf(calls) !== argsOf(shown[place]?.calls ?? []);
    return { text, thinking: isShortened && turn < view.turn ? [] : thinking, calls: calls.map(nameOf) };
  });
}

const argsOf = (calls: readonly { readonly args: JsonValue }[]): string => canonicalJson(calls.map(({ args }) => args));

const nameOf = ({ callId, tool }: { callId: string; tool: string }): unknown => ({ callId, tool });

/** How far two prompts are the same, from their bytes alone. */
function sharedStart(before: RenderedPrompt | undefined, now: RenderedPrompt): { messages: number; chars: number } {
  const old = before?.messages ?? [];
  const differs = now.messages.findIndex((message, at) => !isSame(message, old[at]));
  const messages = differs < 0 ? now.messages.length : differs;
  const [rest = "", other = ""] = [now.messages[messages], old[messages]].map((one) => one && contentOf(one));
  let chars = now.messages.slice(0, messages).reduce((sum, one) => sum + one.chars, 0);
  for (let place = 0; place < rest.length && rest[place] === other[place]; place += 1) chars += 1;
  return { messages, chars };
}

function isSame(message: PromptMessage, other: PromptMessage | undefined): boolean {
  if (other === undefined || message.id !== other.id) return false;
  return message === other || (message.role === other.role && contentOf(message) === contentOf(other));
}
