// @module-tag process
import { type FilesystemBinding, objectIdOf, type Source, sha256 } from "@cm/object-model";
import { describe, expect, it } from "vitest";
import { createContainerSource, limits } from "../src/index.ts";

const errorOf = (make: () => unknown): unknown => {
  try {
    return make();
  } catch (error) {
    return error;
  }
};

describe("the options", () => {
  it.each([
    ["id", [{ id: "-it" }]],
    ["id", [{ id: "a b" }]],
    ["command", [{ id: "box", command: [] }]],
    ["command", [{ id: "box", command: ["docker", "a\0b"] }]],
    ["roots", [{ id: "box", roots: [] }]],
    ["roots", [{ id: "box", roots: ["relative"] }]],
    ["roots", [{ id: "box", roots: ["/a\n/b"] }]],
    ["containers", [{ id: "box" }, { id: "box" }]],
    ["containers", Array.from({ length: limits.containersMax + 1 }, (_, n) => ({ id: `box-${n}` }))],
    [
      "isAgents",
      [
        { id: "one", isAgents: true },
        { id: "two", isAgents: true },
      ],
    ],
  ])("that are wrong in %s are refused", (field, containers) => {
    expect(errorOf(() => createContainerSource({ containers }))).toMatchObject({
      code: "source/invalid-options",
      data: { fields: [field] },
    });
  });
});

describe("a file in a container", () => {
  const source = createContainerSource({ containers: [{ id: "box" }, { id: "own", isAgents: true }] });

  it("is the object that a client inside the container would have", () => {
    const binding = source.bind({ container: "box", path: "/a.txt" });

    expect(objectIdOf({ type: "file", source: binding })).toBe(
      objectIdOf({ type: "file", source: { type: "filesystem", filesystemId: sha256("box"), path: "/a.txt" } }),
    );
  });

  it("is shown by its path alone where the agent works in that container", () => {
    const displays = ["box", "own"].map(
      (container) => source.describe(source.bind({ container, path: "/a b" })).display,
    );

    expect(displays).toEqual(["box:/a b", "/a b"]);
  });

  it.each(["relative", "/a/../b", "/a//b", "/a/", "/", `/${"x".repeat(4_095)}`])("has no path such as %s", (path) => {
    expect(errorOf(() => source.bind({ container: "box", path }))).toMatchObject({
      code: "model/invalid-source",
      data: { fields: ["path"] },
    });
  });

  it("is only in a container that is registered", () => {
    expect(errorOf(() => source.bind({ container: "other", path: "/a" }))).toMatchObject({
      code: "source/unknown-container",
    });
  });
});

describe("a source beside", () => {
  it("answers for every other file system", async () => {
    const asked: string[] = [];
    let closed = false;
    const beside: Source<FilesystemBinding> = {
      contract: "source/1",
      type: "filesystem",
      parseBinding: (value) => value as FilesystemBinding,
      describe: ({ path }) => ({ namespace: "host", path, display: `beside ${path}` }),
      observe: async (requests) => {
        asked.push(...requests.map(({ binding }) => binding.path));
        return requests.map(() => ({ kind: "absent" }));
      },
      close: async () => {
        closed = true;
      },
    };
    const source = createContainerSource({ containers: [{ id: "box", command: ["env"] }], beside });
    const there: FilesystemBinding = { type: "filesystem", filesystemId: "host", path: "/a.txt" };
    const inside = source.bind({ container: "box", path: "/no/such/file" });

    const answers = await source.observe([{ binding: there }, { binding: inside }, { binding: there }], {
      contentBytesMax: 10,
      deadlineMs: 60_000,
    });
    await source.close();

    expect(answers.map(({ kind }) => kind)).toEqual(["absent", "absent", "absent"]);
    expect(asked).toEqual(["/a.txt", "/a.txt"]);
    expect(source.describe(there).display).toBe("beside /a.txt");
    expect(closed).toBe(true);
  });
});
