import { RecordedSession, type RecordedSessionOptions, type SessionRequest } from "../policy/recorded-session.ts";
import { eventsOf } from "./events-of.ts";
import type { ScriptMoment } from "./script-moment.ts";
import { SessionScript } from "./session-script.ts";

/** A request, and what stands in it for a call. */
export interface ScriptedRequest extends SessionRequest {
  /** The text of a call's result; empty where there is none. */
  readonly shown: (callId: string) => string;
}

/** A script that plays into a recorded session as it is told: the model is asked once before each of its answers. */
export class ScriptedSession extends SessionScript {
  readonly session: RecordedSession;

  constructor(options: RecordedSessionOptions) {
    super();
    this.session = new RecordedSession(options);
  }

  /** Short commands that let clocks run. */
  idle(calls: number): this {
    for (let call = 0; call < calls; call += 1) this.run("ls", "a");
    return this;
  }

  /** The model is asked once more, without an answer. */
  request(): ScriptedRequest {
    const request = this.session.request();
    const shown = (callId: string): string =>
      request.prompt.messages.find((message) => message.callId === callId)?.text ?? "";
    return { ...request, shown };
  }

  protected override told(moment: ScriptMoment): void {
    if (moment.kind === "step") this.session.request();
    for (const event of eventsOf(moment)) this.session.add(event);
  }
}
