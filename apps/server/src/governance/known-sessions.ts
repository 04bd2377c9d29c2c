import { isCmError } from "@cm/object-model";
import type { SessionFields, Workspaces } from "@cm/workspace";
import { limits } from "../limits.ts";
import type { AskedTask } from "./asked-task.ts";
import type { GovernedSession } from "./governed-session.ts";
import type { PlannedRun } from "./planned-run.ts";
import type { SessionOpening } from "./session-opening.ts";

/** The governed sessions that this server has open. Between the tasks of one, another server may have it. */
export class KnownSessions {
  readonly #workspaces: Workspaces;
  readonly #opener: SessionOpening;
  readonly #sessions = new Map<string, GovernedSession>();
  /** Sessions that are being opened, so that two runs do not open one twice. */
  readonly #opening = new Map<string, Promise<GovernedSession>>();

  constructor(workspaces: Workspaces, opener: SessionOpening) {
    this.#workspaces = workspaces;
    this.#opener = opener;
  }

  /** The session of a run, which begins with it or goes on. @throws CmError `server/policy`, `server/session-...` */
  async opened(sessionId: string, plan: PlannedRun, asked: AskedTask): Promise<GovernedSession> {
    const known = this.#sessions.get(sessionId);
    if (known !== undefined && known.tasks > 0) return known;
    const opening = this.#opening.get(sessionId) ?? this.#open(sessionId, plan, asked);
    this.#opening.set(sessionId, opening);
    try {
      return await opening;
    } finally {
      this.#opening.delete(sessionId);
    }
  }

  async #open(sessionId: string, plan: PlannedRun, asked: AskedTask): Promise<GovernedSession> {
    const known = await this.known(sessionId);
    if (known !== undefined) return known.tasks > 0 ? known : this.#opener.withThread(known);
    const fields = await this.recorded(sessionId);
    const session =
      fields === undefined ? await this.#opener.start(sessionId, plan, asked) : await this.#opener.reopen(fields, plan);
    return this.#keep(session);
  }

  /** Asks for another bundle, and goes on under it. @throws CmError `server/policy`, `server/session-ended`, `server/not-found` */
  async resume(sessionId: string): Promise<SessionFields> {
    const known = await this.known(sessionId);
    const fields = await this.#workspaces.readSession(sessionId);
    this.#keep(await this.#opener.resume(fields, known));
    return this.#workspaces.readSession(sessionId);
  }

  /** Between its tasks a session is what the records say; under another policy it is not known here any more. */
  async known(sessionId: string): Promise<GovernedSession | undefined> {
    const known = this.#sessions.get(sessionId);
    if (known === undefined || known.tasks > 0) return known;
    await known.written();
    const fields = await this.recorded(sessionId);
    // A task may have begun meanwhile.
    if (known.tasks > 0 || (fields !== undefined && known.follow(fields))) return known;
    if (this.#sessions.get(sessionId) === known) this.#sessions.delete(sessionId);
    return undefined;
  }

  async recorded(sessionId: string): Promise<SessionFields | undefined> {
    try {
      return await this.#workspaces.readSession(sessionId);
    } catch (error) {
      if (isCmError(error, "workspace/not-found")) return undefined;
      throw error;
    }
  }

  #keep(session: GovernedSession): GovernedSession {
    this.#sessions.set(session.chain.sessionId, session);
    for (const [id, { tasks }] of this.#sessions) {
      if (this.#sessions.size <= limits.governedSessionsMax) break;
      if (tasks === 0 && id !== session.chain.sessionId) this.#sessions.delete(id);
    }
    return session;
  }

  forget(sessionId: string): void {
    this.#sessions.delete(sessionId);
  }

  /** What waits to be written of any of them is written, or has failed. */
  async written(): Promise<void> {
    await Promise.all([...this.#sessions.values()].map((session) => session.written()));
  }
}
