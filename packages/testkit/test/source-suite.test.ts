// Verifies: SRC-001 to SRC-025 as a suite: ids, endings, and what a source may leave out.
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createMemorySource, MemoryWorld, openMemorySource, type SourceFactory, sourceSuite } from "../src/index.ts";

const caseOf = (id: string) => {
  const found = sourceSuite.cases.find((one) => one.id === id);
  if (found === undefined) throw new Error(`There is no case ${id}.`);
  return found;
};

describe("the cases of source/1", () => {
  it("are 25, with ids that stand in order and a clause and a sentence each", () => {
    const { cases } = sourceSuite;

    expect(cases.map(({ id }) => id)).toEqual(cases.map((_, n) => `SRC-${`${n + 1}`.padStart(3, "0")}`));
    expect(cases.length).toBe(25);
    expect(cases.filter(({ clause }) => !/^(SSOT \d|[FT]\d)/.test(clause))).toEqual([]);
    expect(cases.filter(({ title }) => !/^[A-Z].*\.$/.test(title))).toEqual([]);
  });

  it("close the subject they opened, also when they fail", async () => {
    let open = 0;
    const counting: SourceFactory = async () => {
      open += 1;
      const subject = await openMemorySource();
      return {
        ...subject,
        source: { ...subject.source, observe: () => Promise.reject(new Error("always")) },
        close: async () => {
          open -= 1;
          await subject.close();
        },
      };
    };

    for (const { run } of sourceSuite.cases) await run(counting).catch(() => undefined);

    expect(open).toBe(0);
  });

  it("end also where the source never does", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const silent: SourceFactory = async () => {
      const subject = await openMemorySource();
      return { ...subject, source: { ...subject.source, observe: () => new Promise(() => {}) } };
    };

    const outcome = expect(caseOf("SRC-013").run(silent)).rejects.toThrow(/did not come within/);
    await vi.advanceTimersByTimeAsync(100_000);

    await outcome;
  });

  it("ask nothing of a tracker or an end where a source has none", async () => {
    const bare: SourceFactory = async () => {
      const subject = await openMemorySource();
      const { track: _, close: __, ...source } = subject.source;
      return { ...subject, source };
    };

    for (const { run } of sourceSuite.cases) await run(bare);
  });

  it("put no name into a world that cannot hold it", async () => {
    const refused: string[] = [];
    const narrow: SourceFactory = async () => {
      const subject = await openMemorySource();
      const canHold = (name: string) => !name.includes("\n");
      return {
        ...subject,
        world: {
          ...subject.world,
          canHold,
          put: (name, bytes) => {
            if (!canHold(name)) refused.push(name);
            return subject.world.put(name, bytes);
          },
        },
      };
    };

    for (const { run } of sourceSuite.cases) await run(narrow);

    expect(refused).toEqual([]);
  });
});

describe("the memory source", () => {
  it("looks at a world that a test fills", async () => {
    const world = new MemoryWorld("w");
    const source = createMemorySource(world);
    world.put("a.txt", Buffer.from("text"));

    const answers = await source.observe([{ binding: { type: "memory", world: "w", path: "a.txt" } }], {
      contentBytesMax: 100,
      deadlineMs: 60_000,
    });

    expect(answers).toMatchObject([{ kind: "present", content: { text: "text" } }]);
  });
});
