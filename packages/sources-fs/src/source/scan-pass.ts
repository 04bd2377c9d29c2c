import type { FilesystemBinding, KnownState, Observation, ObserveRequest } from "@cm/object-model";
import type { EndReason, FileThread, Until } from "../indexing/file-thread.ts";
import type { Finding, Reply } from "../indexing/messages.ts";
import { fileLimits as limits } from "../limits.ts";
import type { Places } from "../mounts/places.ts";
import { reasons } from "../reasons.ts";
import type { Slot } from "../sweep/file-facts-cache.ts";
import type { AvoidedFolders } from "./avoided-folders.ts";
import { type PendingRequest, type ResultHandlers, ScanPlan } from "./scan-plan.ts";
import type { Remembered, StateOrigins } from "./state-origins.ts";

export interface ObserverContext {
  /** The first is enough for few files. */
  readonly threads: readonly [FileThread, ...FileThread[]];
  readonly places: Places;
  readonly states: StateOrigins;
  readonly avoided: AvoidedFolders;
}

type Request = ObserveRequest<FilesystemBinding>;
type Plans = Map<FileThread, ScanPlan>;

/** The requests of one call with their answers, as the threads give them. */
export class ScanPass {
  readonly #parts: ObserverContext;
  readonly #requests: readonly Request[];
  readonly #contentBytesMax: number;
  readonly #answers: (Observation | undefined)[];
  #left: PendingRequest[] = [];

  constructor(parts: ObserverContext, requests: readonly Request[], contentBytesMax: number) {
    this.#parts = parts;
    this.#requests = requests;
    this.#contentBytesMax = contentBytesMax;
    this.#answers = new Array<Observation | undefined>(requests.length).fill(undefined);
  }

  /** Scans everything. */
  first(until: Until): Promise<EndReason> {
    const plans: Plans = new Map();
    const { states, avoided } = this.#parts;
    for (const [place, request] of this.#requests.entries()) {
      const { known, binding, want } = request;
      const remembered =
        known === undefined || want === "existence" || !avoided.isEmpty ? undefined : states.find(known, binding);
      if (remembered !== undefined) planOf(plans, remembered.thread).sweep(place, remembered);
      else {
        const isKnownGone = known?.absent === true;
        this.#plan(plans, { place, request, confirm: isKnownGone, last: isKnownGone });
      }
    }
    return this.#run(plans, until);
  }

  /** Scans some again. */
  again(todos: readonly PendingRequest[], until: Until): Promise<EndReason> {
    const plans: Plans = new Map();
    for (const todo of todos) this.#plan(plans, todo);
    return this.#run(plans, until);
  }

  /** The requests that need one more look. */
  takeLeft(): readonly PendingRequest[] {
    const left = this.#left;
    this.#left = [];
    return left;
  }

  /** All answers in order; `reason` is that of what has none. */
  answers(reason: string): readonly Observation[] {
    return this.#answers.map((answer) => answer ?? { kind: "unreachable", reason });
  }

  #plan(plans: Plans, todo: PendingRequest): void {
    const { places, avoided, threads } = this.#parts;
    const local = places.localPathOf(todo.request.binding);
    if ("unreachable" in local) this.#answers[todo.place] = { kind: "unreachable", reason: local.unreachable };
    else if (avoided.has(local.path)) this.#answers[todo.place] = { kind: "unreachable", reason: reasons.timedOut };
    else {
      // Neighbours go to one thread, since they share folders and their rules.
      const thread = threads[Math.floor(todo.place / limits.looksInRow) % threads.length] ?? threads[0];
      planOf(plans, thread).scan(todo, local.path);
    }
  }

  async #run(plans: Plans, until: Until): Promise<EndReason> {
    const endings = await Promise.all(Array.from(plans, ([thread, plan]) => this.#runOn(thread, plan, until)));
    return endings.find((endReason) => endReason !== "done") ?? "done";
  }

  #runOn(thread: FileThread, plan: ScanPlan, until: Until): Promise<EndReason> {
    const started = thread.startedNow();
    const handlers: ResultHandlers = {
      onFinding: (place, finding) => this.#take(place, finding, { thread, started }),
      onUnchanged: (place, known) => {
        this.#answers[place] = known.unchanged;
      },
    };
    const onReply = (reply: Reply) => {
      if ("scan" in reply) plan.take(reply.scan, handlers);
    };
    const onStuck = (n: number) => this.#avoid(plan.placeOf(n));
    return thread.run(plan.task(this.#contentBytesMax), { onReply, onStuck }, until);
  }

  #take(place: number, finding: Finding, by: Pick<Remembered, "thread" | "started">): void {
    const request = this.#requests[place];
    if (request === undefined) return;
    const keep = (state: KnownState, kept: Slot | undefined): Observation =>
      kept === undefined
        ? { kind: "unchanged", state }
        : this.#parts.states.remember(state, { ...kept, ...by, binding: request.binding });
    switch (finding.kind) {
      case "missing":
        this.#left.push({ place, request, confirm: true, last: false });
        break;
      case "unknown":
        this.#left.push({ place, request, confirm: false, last: false });
        break;
      case "same":
        this.#answers[place] = keep(request.known ?? {}, finding.kept);
        break;
      case "unchanged":
        this.#answers[place] = keep(stateNow(request, finding.hint), finding.kept);
        break;
      case "present": {
        const { sourceHash, hint, bytes, withheld = "binary", kept } = finding;
        const state = { sourceHash, hint };
        keep(state, kept);
        // For valid UTF-8 the hash of the bytes equals that of the text.
        const content = bytes === undefined ? { withheld } : { text: textOf(bytes), digest: sourceHash };
        this.#answers[place] = { kind: "present", sourceHash, content, state };
        break;
      }
      case "unreachable":
        this.#answers[place] = finding;
        break;
      default:
        this.#answers[place] = { kind: finding.kind };
    }
  }

  #avoid(place: number | undefined): void {
    const request = place === undefined ? undefined : this.#requests[place];
    const local = request === undefined ? undefined : this.#parts.places.localPathOf(request.binding);
    if (local !== undefined && "path" in local) this.#parts.avoided.add(local.path);
  }
}

/** The very state that was known, where nothing of it changed: a file that was just written is read at each look for a while. */
function stateNow({ known }: Request, hint: string): KnownState {
  if (known?.hint === hint && known.absent !== true) return known;
  return known?.sourceHash === undefined ? { hint } : { sourceHash: known.sourceHash, hint };
}

function planOf(plans: Plans, thread: FileThread): ScanPlan {
  const plan = plans.get(thread) ?? new ScanPlan();
  if (!plans.has(thread)) plans.set(thread, plan);
  return plan;
}

/** Checked UTF-8 as a text, with its byte order mark. The bytes are given back afterwards. */
function textOf({ buffer, byteOffset, length }: Uint8Array<ArrayBuffer>): string {
  return Buffer.from(buffer, byteOffset, length).toString("utf8");
}
