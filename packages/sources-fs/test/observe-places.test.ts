// @module-tag long
// Verifies: SSOT 5.3: translating folder by folder, as the sweep does, is translating path by path.
import { type MountMapping, mountTable } from "@cm/sources-fs";
import { createRandom, plannedSeeds, type Random } from "@cm/testkit";
import { describe, expect, it } from "vitest";
import { createPlaces } from "../src/mounts/places.ts";

function randomPath(random: Random): string {
  return `/${Array.from({ length: random.below(4) }, () => random.pick(["a", "b", "c"])).join("/")}`;
}

function randomMappings(random: Random): readonly MountMapping[] {
  const byPrefix = new Map<string, MountMapping>();
  for (let n = random.below(6); n > 0; n -= 1) {
    const agentPrefix = randomPath(random);
    const filesystemId = random.pick(["here", "other"]);
    byPrefix.set(agentPrefix, { agentPrefix, canonicalPrefix: randomPath(random), filesystemId });
  }
  return [...byPrefix.values()];
}

describe("the local path of a binding", () => {
  for (const seed of plannedSeeds({ runs: 10 })) {
    it(`is that of the table, and leads back: CM_SEED=${seed}`, () => {
      const random = createRandom(seed);

      for (let tables = 0; tables < 200; tables += 1) {
        const mappings = randomMappings(random);
        const table = mountTable({ mappings, defaultFilesystemId: "here" });
        const places = createPlaces({ environment: { filesystemId: "here", mappings } });
        for (let n = 0; n < 50; n += 1) {
          const place = { filesystemId: random.pick(["here", "other"]), path: randomPath(random) };
          const local = places.localPathOf(place);
          expect("path" in local ? local.path : undefined).toBe(table.toAgent(place));
          if ("path" in local) expect(places.bindingOfLocal(local.path)).toMatchObject(place);
        }
      }
    });
  }

  it("is that of the longest relocation, before the machine's own", () => {
    const places = createPlaces({
      environment: { filesystemId: "here", mappings: [] },
      relocations: [
        { filesystemId: "theirs", canonicalPrefix: "/p", localPrefix: "/copy" },
        { filesystemId: "theirs", canonicalPrefix: "/p/sub", localPrefix: "/sub" },
        { filesystemId: "here", canonicalPrefix: "/old", localPrefix: "/new" },
      ],
    });
    const localOf = (filesystemId: string, path: string) => places.localPathOf({ filesystemId, path });

    expect(localOf("theirs", "/p/file")).toEqual({ path: "/copy/file", relocated: true });
    expect(localOf("theirs", "/p/sub/file")).toEqual({ path: "/sub/file", relocated: true });
    expect(localOf("theirs", "/pp/file")).toEqual({ unreachable: "no mapping" });
    expect(localOf("here", "/old/file")).toEqual({ path: "/new/file", relocated: true });
    expect(localOf("here", "/other/file")).toEqual({ path: "/other/file", relocated: false });
  });
});

describe("a place that a relocation leads to", () => {
  const environment = { filesystemId: "here", mappings: [] };
  const relocations = [{ filesystemId: "theirs", canonicalPrefix: "/p", localPrefix: "/copy" }];
  const theirs = { filesystemId: "theirs", path: "/p/file" };

  it("is a file of this machine, and shown as such", () => {
    const places = createPlaces({ environment, relocations });

    expect(places.ownOf(theirs)).toEqual({ type: "filesystem", filesystemId: "here", path: "/copy/file" });
    expect(places.displayOf(theirs)).toBe("/copy/file");
    expect(places.ownOf({ filesystemId: "here", path: "/copy/file" })).toBeUndefined();
    expect(places.ownOf({ filesystemId: "theirs", path: "/other" })).toBeUndefined();
  });

  it("is shown where the agent's sandbox has it", () => {
    const mappings = [{ agentPrefix: "/ws", canonicalPrefix: "/copy", filesystemId: "here" }];
    const places = createPlaces({ environment, relocations, sandbox: { filesystemId: "box", mappings } });

    expect(places.displayOf(theirs)).toBe("/ws/file");
    expect(places.ownOf(theirs)).toMatchObject({ filesystemId: "here", path: "/copy/file" });
  });

  it("is the very file where the agent itself finds it there: the way into a container", () => {
    const sandbox = { filesystemId: "theirs", mappings: [] };
    const places = createPlaces({ environment, relocations, sandbox });

    expect(places.ownOf(theirs)).toBeUndefined();
    expect(places.displayOf(theirs)).toBe("/p/file");
  });

  it("is where a folder of this machine was moved to, too", () => {
    const moved = [{ filesystemId: "here", canonicalPrefix: "/old", localPrefix: "/new" }];
    const places = createPlaces({ environment, relocations: moved });
    const old = { filesystemId: "here", path: "/old/file" };

    expect([places.ownOf(old)?.path, places.displayOf(old)]).toEqual(["/new/file", "/new/file"]);
  });
});
