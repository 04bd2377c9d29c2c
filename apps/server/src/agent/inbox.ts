import type { IncomingAttachment } from "@cm/context-log";
import { limits } from "../limits.ts";

/** A message of a person for a run that goes on. */
export interface InboxMessage {
  readonly id: string;
  readonly text: string;
  readonly attachments?: readonly IncomingAttachment[];
}

/** What became of it: `known` where a message of that id was taken before, `closed` where no model call follows any more. */
export type Taken = "taken" | "known" | "full" | "closed";

/** Messages that a running run will see: steering at its next model call, follow-ups when it would end. Each id once. */
export class Inbox {
  readonly #ids = new Set<string>();
  #steering: InboxMessage[] = [];
  #followUps: InboxMessage[] = [];
  #isClosed = false;

  get isClosed(): boolean {
    return this.#isClosed;
  }

  put(message: InboxMessage, when: "next-call" | "at-end" = "next-call"): Taken {
    if (this.#ids.has(message.id)) return "known";
    if (this.#isClosed) return "closed";
    if (this.#steering.length + this.#followUps.length >= limits.steeringMessagesMax) return "full";
    if (this.#ids.size >= limits.steeringIdsMax) return "full";
    this.#ids.add(message.id);
    (when === "next-call" ? this.#steering : this.#followUps).push(message);
    return "taken";
  }

  takeSteering(): readonly InboxMessage[] {
    return this.#steering.splice(0);
  }

  /** What is left when the run would end. Nothing left closes the inbox in the same moment, so that no message is lost. */
  takeLast(): readonly InboxMessage[] {
    const left = [...this.#steering.splice(0), ...this.#followUps.splice(0)];
    if (left.length === 0) this.#isClosed = true;
    return left;
  }

  /** Ends it at once, and gives what no model call will see. */
  close(): readonly InboxMessage[] {
    this.#isClosed = true;
    return [...this.#steering.splice(0), ...this.#followUps.splice(0)];
  }
}
