// @module-tag long
// Verifies: SSOT 4.4 (11): each line of ours is true, whichever agent's tools it is about.
import { basename } from "node:path";
import { createMemoryStore, type FilesystemBinding, type Source, sha256 } from "@cm/object-model";
import { fileTouches } from "@cm/recordings";
import { layouts, rendererFor } from "@cm/render";
import { openSession } from "@cm/session";
import { forSeeds, type Random } from "@cm/testkit";
import { expect, it } from "vitest";
import { type Agent, agents, type Said } from "./agents.ts";
import { type KnownCall, untrueLines } from "./untrue-lines.ts";

it.each(Object.entries(agents))("each line about the tools of %s is true", async (name, agent) => {
  const file = "packages/replay/test/lines/lines-of-agents.test.ts";
  await forSeeds({ short: 2, long: 100, file }, async (random) => {
    expect(await faultsOfSession(agent, random), name).toEqual([]);
  });
});

const paths = ["/w/a.ts", "/w/src/b.ts", "/w/src/my file.md", "/w/docs/README"];
const words = ["alpha", "betaValue", "gamma_x", "delta.eta", "iota42"];

/** A file system, and how often each file of it changed. */
class World {
  readonly files = new Map<string, string>();
  readonly changes = new Map<string, number>();
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
    for (const path of paths) this.files.set(path, this.text(5 + random.below(120)));
  }

  text(lines: number): string {
    const line = (): string => `${" ".repeat(this.#random.below(4))}${this.words()} ${this.#random.below(10_000)}`;
    return Array.from({ length: lines }, line).join("\n");
  }

  words(): string {
    return Array.from({ length: 2 + this.#random.below(7) }, () => this.#random.pick(words)).join(" ");
  }

  changesOf(path = ""): number {
    return this.changes.get(path) ?? 0;
  }

  put(path: string, text: string): void {
    this.files.set(path, text);
    this.changes.set(path, (this.changes.get(path) ?? 0) + 1);
  }
}

const filesOf = ({ files }: World): Source<FilesystemBinding> => ({
  ...{ contract: "source/1", type: "filesystem", parseBinding: (value) => value as FilesystemBinding },
  describe: ({ filesystemId: namespace, path }) => ({ namespace, path, display: path }),
  async observe(requests) {
    return requests.map(({ binding, known }) => {
      const text = files.get(binding.path);
      if (text === undefined) return { kind: "absent" };
      const state = { sourceHash: sha256(text) };
      if (known?.sourceHash === state.sourceHash) return { kind: "unchanged", state };
      return { kind: "present", sourceHash: state.sourceHash, state, content: { text } };
    });
  },
});

type Made = Said & Pick<KnownCall, "path" | "read">;

/** Does something in the world by a tool of the agent. */
function act(agent: Agent, world: World, random: Random): Made {
  const path = random.pick(paths);
  const text = world.files.get(path) ?? "";
  const lines = text.split("\n");
  switch (random.below(12)) {
    case 0: {
      const content = world.text(2 + random.below(60));
      world.put(path, content);
      return { ...agent.write(path, content), path };
    }
    case 1:
    case 2: {
      const from = random.below(lines.length);
      const old = lines.slice(from, from + 1 + random.below(12)).join("\n");
      const made = world.text(1 + random.below(25));
      world.put(path, [...lines.slice(0, from), made, ...lines.slice(from + old.split("\n").length)].join("\n"));
      return { ...agent.edit(path, old, made), path };
    }
    case 3: {
      world.put(path, world.text(5 + random.below(60)));
      return agent.command(`make '${basename(path)}'`, "");
    }
    case 4:
      return agent.command("npm test", world.text(1 + random.below(90)));
    case 5:
      return agent.folder(
        "/w/src",
        Array.from({ length: 40 }, (_, place) => `file-${place}.ts`),
      );
    case 6:
      return agent.missing(`/w/none-${random.below(9)}.ts`);
    default: {
      const isRanged = random.chance(0.35);
      const from = isRanged ? 1 + random.below(lines.length) : 1;
      const to = isRanged ? Math.min(lines.length, from + random.below(50)) : lines.length;
      const asked = { path: path.includes(" ") ? (paths[0] ?? "") : path, from, to, isRanged };
      const own = (world.files.get(asked.path) ?? "").split("\n");
      const known = {
        ...asked,
        from: Math.min(from, own.length),
        to: isRanged ? Math.min(to, own.length) : own.length,
      };
      if (known.to < known.from) return agent.command("true", "");
      const read = { from: known.from, lines: own.slice(known.from - 1, known.to) };
      return { ...agent.read(known, own), path: asked.path, read };
    }
  }
}

async function faultsOfSession(agent: Agent, random: Random): Promise<readonly string[]> {
  const world = new World(random);
  const session = await openSession({
    ...{ store: createMemoryStore(), sources: [filesOf(world)], session: "s", layout: layouts.log, rendererFor },
  });
  const calls = new Map<string, KnownCall>();
  const faults = new Set<string>();
  const bytesMax = random.pick([undefined, 20_000, 60_000]);
  for (let step = 0; step < 60; step += 1) {
    if (step % 9 === 0) await session.receive([{ role: "user", text: world.text(1 + random.below(5)) }]);
    const window = bytesMax === undefined ? {} : { window: { bytesMax } };
    const { messages } = await session.assemble({ ...window, ...(random.chance(0.05) ? { cache: "cold" } : {}) });
    for (const fault of untrueLines(messages, calls, world.changes)) faults.add(fault);
    const made = Array.from({ length: random.chance(0.2) ? 3 : 1 }, () => {
      const one = act(agent, world, random);
      return { ...one, changesThen: world.changesOf(one.path) };
    });
    const ids = made.map((_, place) => `call-${step}-${place}`);
    for (const [place, one] of made.entries())
      calls.set(ids[place] ?? "", { ...one, changesAfter: world.changesOf(one.path) });
    await session.record({
      answer: {
        role: "assistant",
        text: "",
        calls: made.map(({ tool, args }, at) => ({ callId: ids[at] ?? "", tool, args })),
      },
      results: made.map(({ tool, args, text, failed = false }, at) => ({
        ...{ role: "tool", callId: ids[at] ?? "", text, failed },
        files: fileTouches({ id: "", name: tool, args }, { cwd: "/w", text, failed }).map(({ path, ...touch }) => ({
          ...touch,
          binding: { type: "filesystem", filesystemId: "fs", path },
        })),
      })),
    });
  }
  await session.close();
  return [...faults];
}
