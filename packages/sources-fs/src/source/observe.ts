import type { FilesystemBinding, KnownState, Observation, ObserveRequest, ReadLimits } from "@cm/object-model";
import { reasons } from "../guard/reasons.ts";
import type { Ending, FileThread, Until } from "../indexing/file-thread.ts";
import type { Finding, Reply } from "../indexing/messages.ts";
import { fileLimits as limits } from "../limits.ts";
import type { Slot } from "../sweep/known-files.ts";
import type { AvoidedFolders } from "./avoided-folders.ts";
import type { KnownStates, Remembered } from "./known-states.ts";
import { LookPlan, type Todo } from "./look-plan.ts";
import type { Places } from "./places.ts";
import { waitFor } from "./wait-for.ts";

export interface ObserverParts {
  readonly thread: FileThread;
  readonly places: Places;
  readonly states: KnownStates;
  readonly avoided: AvoidedFolders;
}

/**
 * Answers all requests: looks once, waits once for all that are missing, looks at those again; more often only where
 * folders go on changing. What has no answer when time is up is out of reach.
 */
export async function observe(
  parts: ObserverParts,
  requests: readonly ObserveRequest<FilesystemBinding>[],
  { contentBytesMax, deadlineMs, signal }: ReadLimits & { readonly signal?: AbortSignal | undefined },
): Promise<readonly Observation[]> {
  const answers = new Array<Observation | undefined>(requests.length).fill(undefined);
  const deadlineAt = performance.now() + deadlineMs - Math.min(limits.answerMarginMs, deadlineMs / 10);
  const until = (): Until => ({ deadlineMs: Math.max(0, deadlineAt - performance.now()), signal });
  const first = (request: ObserveRequest<FilesystemBinding>, place: number): Todo => {
    const isKnownGone = request.known?.absent === true;
    return { place, request, confirm: isKnownGone, last: isKnownGone, inFull: false };
  };
  let todos: readonly Todo[] = requests.map(first);
  let ending: Ending = "done";
  for (let passes = 1; passes <= limits.missingLooksMax && todos.length > 0 && ending === "done"; passes += 1) {
    if (passes > 1 && todos.some(({ confirm }) => confirm)) ending = await confirmable(until());
    if (ending !== "done") break;
    if (passes === limits.missingLooksMax) todos = todos.map((todo) => ({ ...todo, last: true }));
    const pass = new Pass(parts, answers);
    ending = await pass.run(todos, contentBytesMax, until());
    todos = pass.again;
  }
  const reason = ending === "done" ? reasons.changing : ending;
  return answers.map((answer): Observation => answer ?? { kind: "unreachable", reason });
}

/** A save by rename leaves a gap, so an absence counts when it lasts. */
async function confirmable({ deadlineMs, signal }: Until): Promise<Ending> {
  if (deadlineMs <= limits.confirmMs) return reasons.timedOut;
  await waitFor(limits.confirmMs, signal);
  return signal?.aborted ? reasons.aborted : "done";
}

/** One look at each of some files. */
class Pass {
  readonly #parts: ObserverParts;
  readonly #answers: (Observation | undefined)[];
  /** What needs another look. */
  readonly again: Todo[] = [];

  constructor(parts: ObserverParts, answers: (Observation | undefined)[]) {
    this.#parts = parts;
    this.#answers = answers;
  }

  async run(todos: readonly Todo[], contentBytesMax: number, until: Until): Promise<Ending> {
    const plan = new LookPlan();
    for (const todo of todos) this.#plan(todo, plan);
    if (plan.size === 0) return "done";
    const { thread } = this.#parts;
    const started = thread.startedNow();
    const onReply = (reply: Reply) => {
      if ("look" in reply) plan.take(reply.look, (todo, answer) => this.#take(todo, answer, started));
    };
    return thread.run(plan.task(contentBytesMax), { onReply, onStuck: (place) => this.#avoid(plan.at(place)) }, until);
  }

  #plan(todo: Todo, plan: LookPlan): void {
    const { places, avoided, states, thread } = this.#parts;
    const { binding, known, want } = todo.request;
    const remembered =
      known === undefined || want === "existence" || todo.confirm || todo.inFull
        ? undefined
        : states.find(known, binding, thread.startedNow());
    if (remembered !== undefined && avoided.isEmpty) {
      plan.sweep(todo, remembered);
      return;
    }
    const local = places.localPathOf(binding);
    if ("unreachable" in local) this.#answer(todo, { kind: "unreachable", reason: local.unreachable });
    else if (avoided.has(local.path)) this.#answer(todo, { kind: "unreachable", reason: reasons.timedOut });
    else if (remembered !== undefined) plan.sweep(todo, remembered);
    else plan.look(todo, local.path);
  }

  #take(todo: Todo, answer: Finding | Remembered, thread: number): void {
    if (!("kind" in answer)) {
      this.#answer(todo, answer.unchanged);
      return;
    }
    const keep = (state: KnownState, kept: Slot | undefined): Observation =>
      kept === undefined
        ? { kind: "unchanged", state }
        : this.#parts.states.remember(state, { ...kept, thread, binding: todo.request.binding });
    switch (answer.kind) {
      case "missing":
        this.again.push({ ...todo, confirm: true });
        break;
      case "unknown":
        this.again.push({ ...todo, inFull: true });
        break;
      case "same":
        this.#answer(todo, keep(todo.request.known ?? {}, answer.kept));
        break;
      case "unchanged":
        this.#answer(todo, keep({ sourceHash: answer.sourceHash, hint: answer.hint }, answer.kept));
        break;
      case "present": {
        const { sourceHash, hint, bytes, withheld = "binary", kept } = answer;
        const state = { sourceHash, hint };
        keep(state, kept);
        const content = bytes === undefined ? { withheld } : { text: textOf(bytes) };
        this.#answer(todo, { kind: "present", sourceHash, content, state });
        break;
      }
      case "unreachable":
        this.#answer(todo, answer);
        break;
      default:
        this.#answer(todo, { kind: answer.kind });
    }
  }

  #avoid(todo: Todo | undefined): void {
    const local = todo === undefined ? undefined : this.#parts.places.localPathOf(todo.request.binding);
    if (local !== undefined && "path" in local) this.#parts.avoided.add(local.path);
  }

  #answer({ place }: Todo, observation: Observation): void {
    this.#answers[place] = observation;
  }
}

/** Checked UTF-8 as a text, with its byte order mark. The bytes are given back afterwards. */
function textOf({ buffer, byteOffset, length }: Uint8Array<ArrayBuffer>): string {
  return Buffer.from(buffer, byteOffset, length).toString("utf8");
}
