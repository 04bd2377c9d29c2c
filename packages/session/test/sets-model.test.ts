// Verifies: SSOT 1.4, 3.2, 3.3, 3.6, 3.10, T4: random commands against a model of the sets, with resuming.
import type {
  ContextPolicy,
  ContextView,
  IncomingResult,
  PartForm,
  PromptDecision,
  Renderer,
  SetCommand,
} from "@cm/context-log";
import { createMemoryStore, type ObjectStore, objectIdOf } from "@cm/object-model";
import type { Random } from "@cm/testkit";
import { describe, expect, it } from "vitest";
import { openSession, type Session } from "../src/index.ts";
import { at, MapSource } from "./support/map-source.ts";
import { result, runs, touch, user } from "./support/messages.ts";
import { quietPolicy, recallsOf } from "./support/policies.ts";
import { forSeeds } from "./support/seeds.ts";
import { type ModelObject, type ModelResult, SetsModel, setNames } from "./support/sets-model.ts";

const file = "test/sets-model.test.ts";
const commandsPerSession = 500;
const poolEntriesMax = 5;

const fileId = (path: string): string => objectIdOf({ type: "file", source: at(path) });
const texts = ["/a", "/b", "/c", "/d", "/e"];
const paths = [...texts, "/binary"];
const shared = ["/shared/x", "/shared/y"];
const covered = new Map(shared.map((path) => [fileId(path), path]));
const strange = ["/secret", "/nowhere"]
  .map(fileId)
  .concat([
    "other call",
    "call@other",
    "session:s",
    "chat:s",
    "system_prompt:s",
    "step:s:0",
    "keyframe:s:0",
    "lease:s",
    "session:other",
    "step:other:0",
    "__proto__",
    "constructor",
    "hasOwnProperty",
    "",
    " f1",
    "f0",
    "f99",
    "t99",
  ]);

/** Shows nothing: here only the sets count. */
const blank = (residency: Renderer["residency"]): Renderer => ({
  contract: "renderer/1",
  layout: `blank-${residency}/1`,
  residency,
  render: ({ systemPrompt: system }) => ({
    layout: `blank-${residency}/1`,
    system,
    messages: [],
    chars: 0,
    kept: { messages: 0, chars: 0 },
  }),
});

describe.each([blank("sets"), blank("rendered")])("sets under $layout", (renderer) => {
  it("are those of a simple model after each of many random commands", async () => {
    await forSeeds({ short: 5, long: 2_000, file }, async (random) => {
      const world = await World.open(renderer, random);
      while (world.commands < commandsPerSession) await world.act();
    });
  });
});

/** A session and its model, which go through the same things. */
class World {
  commands = 0;
  readonly #renderer: Renderer;
  readonly #random: Random;
  readonly #store: ObjectStore;
  readonly #source: MapSource;
  readonly #objects = new Map<string, ModelObject>();
  readonly #model: SetsModel;
  #decided: PromptDecision = {};
  #session: Session;
  #isRequested = false;
  #calls = 0;

  private constructor(renderer: Renderer, random: Random, store: ObjectStore, source: MapSource, session: Session) {
    this.#renderer = renderer;
    this.#random = random;
    this.#store = store;
    this.#source = source;
    this.#session = session;
    for (const path of texts) this.#add(fileId(path), true);
    this.#add(fileId("/binary"), false);
    for (const id of covered.keys()) this.#objects.set(id, { id, foreign: true, hasText: () => true });
    this.#model = new SetsModel(renderer.residency, this.#objects);
  }

  static async open(renderer: Renderer, random: Random): Promise<World> {
    const store = createMemoryStore();
    const source = new MapSource();
    for (const path of [...texts, ...shared, "/secret"]) source.files.set(path, `text of ${path}`);
    source.files.set("/binary", new Uint8Array([0xff]));
    const other = await openSession({
      store,
      layout: { policy: quietPolicy, renderer },
      sources: [source],
      session: "other",
    });
    await other.assemble();
    const files = [...shared, "/secret"].map((path) => touch(path, "read"));
    await other.record(runs(result("other call", "text of other", { files })));
    const world = new World(renderer, random, store, source, other);
    world.#session = await world.#opened();
    return world;
  }

  async act(): Promise<void> {
    const kind = this.#random.below(400);
    if (kind < 385) await this.#command();
    else if (kind < 389) await this.#assemble();
    else if (kind < 391) await this.#receive();
    else if (kind < 393) await this.#reopen();
    else await this.#record();
    this.#compare();
  }

  #opened(): Promise<Session> {
    return openSession({
      store: this.#store,
      layout: { policy: this.#policy(), renderer: this.#renderer },
      sources: [this.#source],
      session: "s",
      poolEntriesMax,
      keyframeEverySteps: 7,
      discover: [{ type: "filesystem", pathPrefix: "/shared" }],
    });
  }

  async #command(): Promise<void> {
    const action = this.#random.pick(["activate", "deactivate", "pin", "unpin", "show", "hide", "adopt"] as const);
    const [id, name] = this.#anyObject();
    this.commands += 1;
    const outcome =
      action === "adopt"
        ? await this.#session.adopt(name)
        : await this.#session.command({ action: action satisfies SetCommand["action"], id: name });
    const expected = this.#model.command(action, id);
    if (outcome.done !== expected) expect.fail(`${action} of ${name} was ${JSON.stringify(outcome)}`);
  }

  /** An object's id with a name for it: its id or its alias. */
  #anyObject(): readonly [string, string] {
    const { random, met } = { random: this.#random, met: this.#session.view().objects };
    const id = random.chance(0.2)
      ? random.pick(strange)
      : random.chance(0.1)
        ? random.pick([...covered.keys()])
        : random.pick([...met.keys(), ...strange]);
    return [id, random.chance(0.5) ? (met.get(id)?.alias ?? id) : id];
  }

  async #assemble(): Promise<void> {
    if (this.#isRequested) return;
    await this.#session.assemble();
    this.#model.assemble(this.#decided);
    this.#isRequested = true;
  }

  async #receive(): Promise<void> {
    await this.#session.receive([user("wait")]);
    this.#model.giveUp();
    this.#model.endTurn();
    this.#isRequested = false;
  }

  async #record(): Promise<void> {
    await this.#assemble();
    const before = this.#session.view().log.length;
    const results = Array.from({ length: this.#random.below(3) }, () => this.#randomResult());
    await this.#session.record(runs(...results.map(({ incoming }) => incoming)));
    for (const { model } of results) this.#add(model.id, model.hasOutput);
    const recalls = this.#decided.recall?.length ?? 0;
    // The recalled texts and the answer stand before the results.
    const first = before + recalls + 1;
    this.#model.record(
      results.map(({ model }, place) => ({ ...model, at: first + place })),
      before,
    );
    this.#isRequested = false;
    const faults = this.#model.demote(this.#session.view().sets.pool, poolEntriesMax);
    if (faults.length > 0) expect.fail(faults.join(", "));
  }

  #randomResult(): { readonly incoming: IncomingResult; readonly model: ModelResult } {
    const random = this.#random;
    this.#calls += 1;
    const id = `call ${this.#calls}`;
    const hasOutput = random.chance(0.9);
    const touched = Array.from({ length: random.below(4) }, () => ({
      path: random.pick(paths),
      as: random.pick(["read", "edited", "discovered"] as const),
      shown: random.chance(0.5),
    }));
    const files = touched.map(({ path, as, shown }) => touch(path, as, shown ? { startLine: 1 } : undefined));
    return {
      incoming: result(id, hasOutput ? "output" : null, { files }),
      model: { id, hasOutput, touches: touched.map(({ path, as, shown }) => ({ id: fileId(path), as, shown })) },
    };
  }

  /** In another client, which knows only what the store has: right after a step, or after a pause. */
  async #reopen(): Promise<void> {
    if (this.#random.chance(0.5)) {
      await this.#record();
      await this.#session.abandon();
    } else {
      await this.#session.close();
      this.#model.reopen();
      this.#isRequested = false;
    }
    this.#session = await this.#opened();
  }

  #compare(): void {
    const { sets, objects } = this.#session.view();
    for (const name of setNames) {
      const expected = this.#model.sets[name];
      const isSame = sets[name].size === expected.size && [...expected].every((id) => sets[name].has(id));
      if (!isSame) expect.fail(`${name}: ${said(objects, sets[name])}; the model has ${said(objects, expected)}`);
    }
    const { index, pool, active, pinned, dismissed, requested } = sets;
    const within = (inner: ReadonlySet<string>, outer: ReadonlySet<string>) => [...inner].every((id) => outer.has(id));
    const isWhole = [pool, dismissed, requested].every((set) => within(set, index));
    if (!isWhole || !within(active, pool) || !within(pinned, pool)) expect.fail("a promise about the sets is broken");
  }

  #add(id: string, hasText: boolean): void {
    this.#objects.set(id, { id, hasText: () => hasText });
  }

  /** Folds, unfolds, recalls and collapses at random, of what there is. */
  #policy(): ContextPolicy {
    return {
      contract: "policy/1",
      name: "random",
      decide: (view) => {
        const random = this.#random;
        const withText = [...view.sets.requested].filter((id) => typeof view.objects.get(id)?.text === "string");
        this.#decided = {
          forms: formsFor(view, random),
          recall: recallsOf(
            view,
            withText.filter(() => random.chance(0.7)),
          ),
          deactivate: [...view.sets.active].filter((id) => !view.sets.pinned.has(id) && random.chance(0.3)),
        };
        return this.#decided;
      },
    };
  }
}

function formsFor({ log }: ContextView, random: Random): Record<string, PartForm> {
  const forms: Record<string, PartForm> = {};
  for (const { kind, at: place } of log) {
    if (kind !== "result" && kind !== "recalled") continue;
    if (random.chance(0.3)) forms[`${place}`] = random.pick<PartForm>([{ form: "reference" }, { form: "full" }]);
  }
  return forms;
}

function said(objects: ContextView["objects"], ids: ReadonlySet<string>): string {
  return [...ids].map((id) => objects.get(id)?.alias ?? id).join(" ");
}
