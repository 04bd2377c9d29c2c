import type { IncomingAttachment } from "@cm/context-log";
import { type AttachmentRef, sha256 } from "@cm/object-model";
import type { SessionEvent } from "../policy/recorded-session.ts";
import type { ScriptMoment } from "./script-moment.ts";

/** A moment of a script as events of a recorded session. */
export function eventsOf(moment: ScriptMoment): readonly SessionEvent[] {
  if (moment.kind === "incoming") return moment.messages.map(eventOf);
  const { answer, results = [] } = moment.record;
  const { text, thinking, calls } = answer;
  const said = { kind: "assistant", text, ...(thinking && { thinking }), ...(calls && { calls }) } as const;
  return [said, ...results.map(eventOf)];
}

function eventOf(message: Extract<ScriptMoment, { kind: "incoming" }>["messages"][number]): SessionEvent {
  const attachments = message.attachments === undefined ? {} : { attachments: message.attachments.map(refOf) };
  if (message.role === "user") return { kind: "user", text: message.text, ...attachments };
  const { callId, text, failed } = message;
  return { kind: "result", callId, text, failed, ...attachments };
}

const refOf = ({ mime, data }: IncomingAttachment): AttachmentRef => ({
  sha256: sha256(data),
  mime,
  bytes: data.byteLength,
});
