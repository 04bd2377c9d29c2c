import { canary } from "../harness/conversations.ts";
import { expectedAnswers } from "../harness/expected.ts";
import type { SentMessage } from "../harness/harness-run.ts";
import { type PlantedHarnessBug, running, sending } from "./planted-harness-bug.ts";

const note: SentMessage = { role: "user", text: "A note of the harness." };

export const bugsOfHarnessRequests: readonly PlantedHarnessBug[] = [
  sending("A note stands in the request that no step has.", ["HAR-001", "HAR-002"], (messages) => [...messages, note]),
  sending("Long outputs are cut behind the session's back.", ["HAR-002"], (messages) =>
    messages.map((message) => (message.role === "tool" ? { ...message, text: message.text.slice(0, 500) } : message)),
  ),
  running("Each request is made twice.", ["HAR-003", "HAR-050"], (run) => ({
    ...run,
    requests: run.requests.flatMap((request) => [request, request]),
  })),
  sending("A request that failed is told about in the next one.", ["HAR-004"], (messages, place, conversation) => {
    const isAskedAgain = expectedAnswers(conversation).some(({ asks }) => asks.indexOf(place) > 0);
    return isAskedAgain ? [...messages, note] : messages;
  }),
  sending("The number of the request stands on top.", ["HAR-005"], (messages, place) => [
    { role: "user", text: `This is request ${place}.` },
    ...messages,
  ]),
  sending("The first prompt is forgotten in the end.", ["HAR-007"], (messages) =>
    messages.length < 20 ? messages : messages.slice(1),
  ),
  sending("The model sees no outputs.", ["HAR-008", "HAR-023", "HAR-024"], (messages) =>
    messages.map((message) => (message.role === "tool" ? { ...message, text: "See the log." } : message)),
  ),
  sending("Results stand where they came in, not behind their calls.", ["HAR-022", "HAR-026"], (messages) => [
    ...messages.filter(({ role }) => role !== "tool"),
    ...messages.filter(({ role }) => role === "tool"),
  ]),
  sending("The newest call of an answer is answered first.", ["HAR-022"], (messages) =>
    messages.map((message, at) => {
      const [before, after] = [messages[at - 1], messages[at + 1]];
      if (message.role !== "tool") return message;
      if (after?.role === "tool" && before?.role !== "tool") return after;
      return before?.role === "tool" && messages[at - 2]?.role !== "tool" ? before : message;
    }),
  ),
  sending("Thinking goes back without its signature.", ["HAR-031"], (messages) =>
    messages.map(({ thinking, ...message }) =>
      thinking === undefined ? message : { ...message, thinking: thinking.map(({ text }) => ({ text })) },
    ),
  ),
  sending("Pictures stay behind.", ["HAR-032"], (messages) =>
    messages.map(({ images: _images, ...message }) => message),
  ),
  sending("What the user says meanwhile stands before the results.", ["HAR-033"], (messages) => {
    const [result, steer] = messages.slice(-2);
    const isSteered = result?.role === "tool" && steer?.role === "user";
    return isSteered ? [...messages.slice(0, -2), steer, result] : messages;
  }),
  sending("What was left stays in the prompt.", ["HAR-042"], (messages, _place, { turns }) =>
    turns.some(({ after }) => after !== undefined) ? [...messages, { role: "assistant", text: "Answer b." }] : messages,
  ),
  sending("Outputs of other sessions are found and shown.", ["HAR-044"], (messages) => [
    ...messages,
    { role: "user", text: canary },
  ]),
  sending("Without the store only the newest prompt is sent.", ["HAR-050"], (messages, place, { turns }) =>
    turns.some(({ store }) => store === "offline") && place >= 2 ? messages.slice(-1) : messages,
  ),
  sending("What is switched off still has a say.", ["HAR-052"], (messages) => [...messages, note]),
];
