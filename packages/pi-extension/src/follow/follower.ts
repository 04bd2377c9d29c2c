import type { Amendment, AssembleOptions, FileTouch, RenderedPrompt, SessionFork } from "@cm/context-log";
import { defined, type StepAddress } from "@cm/object-model";
import type { Session } from "@cm/session";
import type { BranchItem } from "../branch/branch-item.ts";
import { callsOf, takeCall } from "../branch/calls-of.ts";
import type { StepTouches } from "../files/step-touches.ts";
import { incomingAnswer, incomingResult, incomingUser, lostResult, usageOf } from "../messages/incoming.ts";
import { type BranchStep, branchStepsFrom } from "./branch-step.ts";

export interface FollowerOptions {
  readonly touchesOf: StepTouches;
  readonly mayHaveRun?: (callId: string, answer: string) => boolean;
}

/**
 * Brings a session up to a branch of Pi, piece by piece; whatever was taken in is not taken in again. The same way
 * serves normal running, a session that was there before us, a process that was killed and a store that was offline.
 */
export class Follower {
  readonly #session: Session;
  readonly #touchesOf: StepTouches;
  readonly #mayHaveRun: (callId: string, answer: string) => boolean;
  readonly #followed: string[];
  #isRequestOpen = false;
  #newest: StepAddress | undefined;
  #fork: SessionFork | undefined;

  /**
   * @param covered the items that the session's log has already
   * @param options.mayHaveRun whether a call of an entry may have run, though its branch has no result. Default: it has not
   */
  constructor(
    session: Session,
    covered: readonly BranchItem[],
    { touchesOf, mayHaveRun = () => false }: FollowerOptions,
  ) {
    this.#session = session;
    this.#touchesOf = touchesOf;
    this.#mayHaveRun = mayHaveRun;
    this.#followed = covered.map(({ entry }) => entry);
  }

  /** The newest step that this client wrote to the session; undefined where that is a fork without one. */
  get lastStep(): number | undefined {
    return this.#newest?.session === this.#session.session ? this.#newest.n : undefined;
  }

  /** The newest fork that a step began here, because another program wrote the session. */
  get fork(): SessionFork | undefined {
    return this.#fork;
  }

  /** Whether the branch goes on from what was taken in. */
  goesOn(items: readonly BranchItem[]): boolean {
    const last = this.#followed.length - 1;
    // Entries have one parent, so equal ends mean equal paths; compactions of others cut the start off.
    return last < 0 || (items[last]?.entry === this.#followed[last] && items[0]?.entry === this.#followed[0]);
  }

  /** Steps of the branch that the session does not have yet. */
  behind(items: readonly BranchItem[]): number {
    return items.slice(this.#followed.length).filter(({ kind }) => kind === "answer").length;
  }

  /**
   * @param next of the request that follows, where it is known: it is made behind the newest step, and fails in silence
   * @throws what the session throws; what was taken in until then stays so, and the call can be made again
   */
  async follow(
    items: readonly BranchItem[],
    { isOver, next }: { readonly isOver: boolean; readonly next?: AssembleOptions | undefined },
  ): Promise<void> {
    const pieces = branchStepsFrom(items, this.#followed.length, { isOver });
    for (const { piece, end } of pieces) {
      await this.#take(piece, end === items.length ? next : undefined);
      for (const { entry } of items.slice(this.#followed.length, end)) this.#followed.push(entry);
    }
  }

  async assemble(options: AssembleOptions): Promise<RenderedPrompt> {
    const prompt = await this.#session.assemble(options);
    this.#isRequestOpen = true;
    return prompt;
  }

  /** Tells the session what others made of messages. The request that was made without that is given up. */
  async amend(amendments: readonly Amendment[]): Promise<void> {
    await this.#session.amend(amendments);
    this.#isRequestOpen = false;
  }

  async #take(piece: BranchStep, next: AssembleOptions | undefined): Promise<void> {
    if (piece.kind === "said") {
      await this.#session.receive([incomingUser(piece)]);
      // It was made without what came in now.
      this.#isRequestOpen = false;
      return;
    }
    const { answer, results } = piece;
    // After a catch-up the answered request is unknown: the session makes one. Since these calls ran, files may have changed.
    const isPast = !this.#isRequestOpen;
    if (isPast) await this.#session.assemble();
    const lost = callsOf(answer.message);
    for (const { message } of results) takeCall(lost, message.toolCallId);
    const usage = usageOf(answer);
    const touches = await this.#touchesOf(answer, results);
    const recorded = this.#session.record({
      answer: incomingAnswer(answer),
      results: [
        ...results.map((item, place) => incomingResult(item, isPast ? inPast(touches[place]) : (touches[place] ?? []))),
        ...lost.map(({ id }) => lostResult(id, { mayHaveRun: this.#mayHaveRun(id, answer.entry) })),
      ],
      ...defined({ usage }),
    });
    // Asked for at once, the session looks at its files while the step is written.
    const assembled = next === undefined ? undefined : this.assemble(next).catch(() => undefined);
    const { n, fork } = await recorded;
    this.#isRequestOpen = false;
    this.#newest = { session: this.#session.session, n };
    this.#fork = fork ?? this.#fork;
    await assembled;
  }
}

const inPast = (touches: readonly FileTouch[] = []): readonly FileTouch[] =>
  touches.map((touch) => ({ ...touch, isPast: true }));
