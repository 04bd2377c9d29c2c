// Verifies: SSOT 2.3, 5.3, 5.6 step 1: the agent's path becomes the canonical one, and is shown as the agent's again.
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isCmError } from "@cm/object-model";
import { describe, expect, it } from "vitest";
import { rootAndOutside } from "./support/folder.ts";
import { at, bounds, here, openSource } from "./support/source.ts";

describe("binding", () => {
  it("resolves links, `..`, relative paths, and what does not exist below its deepest folder", async () => {
    const { root } = rootAndOutside();
    mkdirSync(join(root, "real/sub"), { recursive: true });
    writeFileSync(join(root, "real/file"), "text");
    symlinkSync("real", join(root, "link"));
    symlinkSync("../real/file", join(root, "real/other"));
    const source = openSource(root);

    expect(await source.bind(join(root, "link/file"))).toEqual(at(join(root, "real/file")));
    expect(await source.bind("other", join(root, "link"))).toEqual(at(join(root, "real/other/..", "..", "real/file")));
    expect(await source.bind("./sub/../file", join(root, "link"))).toEqual(at(join(root, "real/file")));
    expect(await source.bind(`${root}//link/new/deep.ts`)).toEqual(at(join(root, "real/new/deep.ts")));
    expect(await source.bind(join(root, "real/file/below"))).toEqual(at(join(root, "real/file/below")));
  });

  it("of many paths at once is that of each, in their order", async () => {
    const { root } = rootAndOutside();
    mkdirSync(join(root, "real"));
    symlinkSync("real", join(root, "link"));
    const source = openSource(root);
    const names = Array.from({ length: 500 }, (_, n) => `link/${n}`);

    const bindings = await source.bindAll(names, root);

    expect(bindings).toEqual(Array.from({ length: 500 }, (_, n) => at(join(root, `real/${n}`))));
    expect(await source.bindAll([])).toEqual([]);
    await expect(source.bindAll(["a", "b\0"], root)).rejects.toSatisfy((error) =>
      isCmError(error, "source/invalid-path"),
    );
  });

  it("gives one binding to two agents, and each sees its own path", async () => {
    const { root } = rootAndOutside();
    mkdirSync(join(root, "src"));
    writeFileSync(join(root, "src/main.ts"), "text");
    const host = openSource(root);
    const mappings = [{ agentPrefix: "/workspace", canonicalPrefix: root, filesystemId: here.filesystemId }];
    const sandboxed = openSource(root, { sandbox: { filesystemId: "container", mappings } });

    const one = await host.bind(join(root, "src/main.ts"));
    const other = await sandboxed.bind("src/main.ts", "/workspace");

    expect(other).toEqual(one);
    expect(host.describe(one).display).toBe(join(root, "src/main.ts"));
    expect(sandboxed.describe(one)).toEqual({
      namespace: here.filesystemId,
      path: join(root, "src/main.ts"),
      display: "/workspace/src/main.ts",
    });
    expect(sandboxed.describe(at("/elsewhere/file")).display).toBe("/elsewhere/file");
    expect(await sandboxed.observe([{ binding: other }], bounds)).toMatchObject([{ content: { text: "text" } }]);
  });

  it("takes mappings and relocations that lead through links", async () => {
    const { folder, root } = rootAndOutside();
    symlinkSync(root, join(folder, "link"));
    writeFileSync(join(root, "file"), "text");
    const canonicalPrefix = join(folder, "link");
    const source = openSource(canonicalPrefix, {
      sandbox: {
        filesystemId: "container",
        mappings: [{ agentPrefix: "/w/", canonicalPrefix: `${canonicalPrefix}//`, filesystemId: here.filesystemId }],
      },
      relocations: [{ filesystemId: "other machine", canonicalPrefix: "/their", localPrefix: canonicalPrefix }],
    });
    const theirs = { type: "filesystem" as const, filesystemId: "other machine", path: "/their/file" };

    const binding = await source.bind("/w/file");

    expect(binding).toEqual(at(join(root, "file")));
    expect(source.describe(binding).display).toBe("/w/file");
    expect(source.describe(theirs).display).toBe("/w/file");
    const answers = await source.observe([{ binding }, { binding: theirs }], bounds);
    expect(answers).toMatchObject([{ content: { text: "text" } }, { content: { text: "text" } }]);
  });

  it("follows a link in a sandbox among the paths of the sandbox", async () => {
    const { root, outside } = rootAndOutside();
    writeFileSync(join(root, "file"), "text");
    symlinkSync("/workspace/file", join(root, "inner"));
    symlinkSync("/etc/hosts", join(root, "hosts"));
    symlinkSync("../data/file", join(root, "up"));
    symlinkSync("loop", join(root, "loop"));
    const mappings = [
      { agentPrefix: "/workspace", canonicalPrefix: root, filesystemId: here.filesystemId },
      { agentPrefix: "/data", canonicalPrefix: outside, filesystemId: here.filesystemId },
    ];
    const source = openSource(root, { sandbox: { filesystemId: "container", mappings } });

    expect(await source.bind("/workspace/inner")).toEqual(at(join(root, "file")));
    expect(await source.bind("/workspace/up")).toEqual(at(join(outside, "file")));
    expect(await source.bind("/workspace/loop")).toMatchObject({ filesystemId: here.filesystemId });
    const hosts = await source.bind("/workspace/hosts");
    expect(hosts).toEqual({ type: "filesystem", filesystemId: "container", path: "/etc/hosts" });
    expect(await source.observe([{ binding: hosts }], bounds)).toEqual([{ kind: "unreachable", reason: "no mapping" }]);
  });

  it.each([["a/b"], [""], ["/a\0b"], ["/\uD800"], [`/${"x".repeat(5_000)}`]])("refuses %j", async (path) => {
    const { root } = rootAndOutside();
    const refused = await openSource(root)
      .bind(path)
      .catch((error: unknown) => error);

    expect(isCmError(refused, "source/invalid-path")).toBe(true);
  });

  it("refuses roots that are not absolute", () => {
    expect(() => openSource("relative")).toThrow(expect.objectContaining({ code: "source/invalid-options" }));
  });
});
