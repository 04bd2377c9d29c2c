// @module-tag process
// Verifies: F10, F11, SSOT 3.6, 5.6: absent is confirmed gone, and everything else that is not there is unreachable.
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { hasPrograms } from "../../../tools/has-programs.ts";
import { requirement } from "../../../tools/requirement.ts";
import { failureOf } from "../src/reasons.ts";
import { rootAndOutside } from "./support/folder.ts";
import { at, bounds, look, openSource, present } from "./support/source.ts";

const absent = { kind: "absent" };
const rootGone = { kind: "unreachable", reason: "root not there" };

describe("a file that is not there", () => {
  it("is absent, in a folder that is there or not, read or only asked for", async () => {
    const { root } = rootAndOutside();
    writeFileSync(join(root, "file"), "text");
    const source = openSource(root);

    for (const name of ["never", "no/such/folder", "file/below"]) {
      expect(await look(source, join(root, name))).toEqual(absent);
      expect(await look(source, join(root, name), { want: "existence" })).toEqual(absent);
      expect(await look(source, join(root, name), { known: { absent: true } })).toEqual(absent);
    }
  });

  it("is looked at again before the answer absent", async () => {
    const { root } = rootAndOutside();
    const source = openSource(root);
    // The thread looks at the first file before the second call; then the file is there for the second look.
    const first = look(source, join(root, "saved"));
    await look(source, join(root, "saved"), { known: { absent: true } });
    writeFileSync(join(root, "saved"), "text");

    expect(await first).toMatchObject({ kind: "present", content: { text: "text" } });
  });

  it("is not absent where there is no time for a second look", async () => {
    const { root } = rootAndOutside();
    const source = openSource(root);
    await look(source, root);

    expect(await look(source, join(root, "never"), { bounds: { deadlineMs: 100 } })).toEqual({
      kind: "unreachable",
      reason: "timed out",
    });
  });

  it("is unreachable below a root that was moved, replaced by another folder, or never seen", async () => {
    const { root, outside } = rootAndOutside();
    writeFileSync(join(root, "file"), "text");
    const source = openSource([root, join(outside, "unseen")]);
    const { state } = await present(source, join(root, "file"));

    renameSync(root, join(outside, "moved"));
    expect(await look(source, join(root, "file"), { known: state })).toEqual(rootGone);
    expect(await look(source, join(root, "file"), { known: { absent: true } })).toEqual(rootGone);
    mkdirSync(root);
    expect(await look(source, join(root, "file"), { known: state })).toEqual(rootGone);
    rmSync(root, { recursive: true });
    renameSync(join(outside, "moved"), root);
    expect(await look(source, join(root, "file"))).toMatchObject({ content: { text: "text" } });
    expect(await look(source, join(outside, "unseen/file"))).toEqual(rootGone);
  });

  it("is seen below a root that is made later", async () => {
    const { outside } = rootAndOutside();
    const root = join(outside, "later");
    const source = openSource(root);
    expect(await look(source, join(root, "file"))).toEqual(rootGone);

    mkdirSync(root);
    writeFileSync(join(root, "file"), "text");

    expect(await look(source, join(root, "file"))).toMatchObject({ content: { text: "text" } });
    expect(await look(source, join(root, "other"))).toEqual(absent);
  });

  it.each([
    ["ENOENT", { missing: true }],
    ["ENOTDIR", { missing: true }],
    ["EACCES", { unreachable: "permission denied" }],
    ["EPERM", { unreachable: "permission denied" }],
    ["ELOOP", { unreachable: "reached through a link" }],
    ["EIO", { unreachable: "cannot be read" }],
    ["ESTALE", { unreachable: "cannot be read" }],
    ["ENOTCONN", { unreachable: "cannot be read" }],
    ["ETIMEDOUT", { unreachable: "cannot be read" }],
    ["EHOSTDOWN", { unreachable: "cannot be read" }],
  ])("is told from one that fails with %s", (code, failure) => {
    expect(failureOf(Object.assign(new Error("failed"), { code }))).toEqual(failure);
  });
});

const isRoot = process.getuid?.() === 0;
const mounts = isRoot && hasPrograms("mount", "umount") && spawnSync("unshare", ["-m", "true"]).status === 0;

requirement("the right to mount", () => mounts)("a mount that goes", () => {
  function mountedOn(folder: string): () => void {
    execFileSync("mount", ["-t", "tmpfs", "none", folder]);
    let isMounted = true;
    const unmount = () => {
      if (isMounted) execFileSync("umount", ["-l", folder]);
      isMounted = false;
    };
    onTestFinished(unmount);
    return unmount;
  }

  it("makes files below its root unreachable", async () => {
    const { root } = rootAndOutside();
    const unmount = mountedOn(root);
    writeFileSync(join(root, "file"), "text");
    const source = openSource(root);
    const { state } = await present(source, join(root, "file"));
    unmount();

    expect(await look(source, join(root, "file"), { known: state })).toEqual(rootGone);
    expect(await look(source, join(root, "file"))).toEqual(rootGone);
  });

  it("makes files that were seen on it unreachable, also where it lay inside a root", async () => {
    const { root } = rootAndOutside();
    mkdirSync(join(root, "mount"));
    const unmount = mountedOn(join(root, "mount"));
    writeFileSync(join(root, "mount/file"), "text");
    const source = openSource(root);
    const { state } = await present(source, join(root, "mount/file"));
    unmount();

    for (const known of [state, { ...state }]) {
      expect(await look(source, join(root, "mount/file"), { known })).toEqual({
        kind: "unreachable",
        reason: "file system not mounted",
      });
    }
  });
});

const nobody = 65_534;
const dist = fileURLToPath(import.meta.resolve("@cm/sources-fs"));
const asNobody = isRoot ? { uid: nobody, gid: nobody } : {};
const canImport = () =>
  spawnSync(process.execPath, ["--eval", `require("fs").readFileSync(${JSON.stringify(dist)})`], asNobody).status === 0;

requirement("a user without rights that can read the package", canImport)("a file without permission to read", () => {
  it("is unreachable, and so is what lies in a closed folder", () => {
    const { folder, root } = rootAndOutside();
    mkdirSync(join(root, "closed"));
    for (const name of ["file", "closed/file"]) writeFileSync(join(root, name), "text");
    for (const path of [folder, root]) chmodSync(path, 0o755);
    chmodSync(join(root, "file"), 0);
    chmodSync(join(root, "closed"), 0);
    onTestFinished(() => chmodSync(join(root, "closed"), 0o755));
    const requests = ["file", "closed/file", "closed/never"].map((name) => ({ binding: at(join(root, name)) }));
    const program = `
      import { createFilesystemSource } from ${JSON.stringify(dist)};
      const environment = { filesystemId: "here", mappings: [], findings: [] };
      const source = createFilesystemSource({ roots: ${JSON.stringify([root])}, environment });
      console.log(JSON.stringify(await source.observe(${JSON.stringify(requests)}, ${JSON.stringify(bounds)})));
      await source.close();`;

    const { stdout } = spawnSync(process.execPath, ["--input-type=module", "--eval", program], {
      ...asNobody,
      cwd: dirname(dist),
      encoding: "utf8",
    });

    expect(JSON.parse(stdout)).toEqual(requests.map(() => ({ kind: "unreachable", reason: "permission denied" })));
  });
});
