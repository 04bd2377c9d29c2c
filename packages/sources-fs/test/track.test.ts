// @module-tag process
// Verifies: SSOT 5.8, SSOT 5.9, F8, F10
import { execFileSync } from "node:child_process";
import { mkdirSync, renameSync, rmdirSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { editors } from "./support/storm-editors.ts";
import { freshFolder } from "./support/storm-folder.ts";
import { trackerSetting } from "./support/storm-tracker.ts";

function file(folder: string, name: string, text = "one"): string {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

describe("events alone hint", () => {
  it.each(Object.keys(editors))("every save in the style of %s", async (editor) => {
    const path = file(freshFolder(), "a.ts");
    const setting = trackerSetting();
    await setting.follow(path);

    for (let save = 0; save < 3; save += 1) {
      await setting.quiet();
      editors[editor]?.(path, `save ${save}`);
      await setting.hinted(path);
    }

    expect(setting.states()).toEqual(["attached"]);
  });

  it.each<[string, (path: string) => void]>([
    ["a write", (path) => writeFileSync(path, "two")],
    ["a rename over it", (path) => renameSync(file(dirname(path), "beside.ts", "two"), path)],
    ["its end", (path) => unlinkSync(path)],
    ["its move to another name", (path) => renameSync(path, `${path}.old`)],
    [
      "a link in its place",
      (path) => {
        unlinkSync(path);
        symlinkSync("/dev/null", path);
      },
    ],
  ])("%s", async (_what, change) => {
    const path = file(freshFolder(), "a.ts");
    const setting = trackerSetting();
    await setting.follow(path);
    await setting.quiet();

    change(path);

    await setting.hinted(path);
  });

  it("a file that is deleted, and again when it comes back", async () => {
    const path = file(freshFolder(), "a.ts");
    const setting = trackerSetting();
    await setting.follow(path);
    await setting.quiet();
    unlinkSync(path);
    await setting.hinted(path);
    await setting.quiet();

    writeFileSync(path, "two");

    await setting.hinted(path);
    expect(setting.states()).toEqual(["attached"]);
  });

  it("a file that did not exist when it was followed", async () => {
    const folder = freshFolder();
    const path = join(folder, "later.ts");
    const setting = trackerSetting();
    await setting.follow(path);
    await setting.quiet();

    writeFileSync(path, "one");

    await setting.hinted(path);
  });

  it("the right one of two names that differ in case, and a rename between the two", async () => {
    const folder = freshFolder();
    const [upper, lower] = [file(folder, "README.md"), join(folder, "readme.md")];
    const setting = trackerSetting();
    await setting.follow(upper, lower);
    await setting.quiet();

    renameSync(upper, lower);

    await setting.hinted(upper, lower);
  });

  it("a file that is written all the time", async () => {
    const path = file(freshFolder(), "busy.log");
    const setting = trackerSetting({ settleWaitMs: 200 });
    await setting.follow(path);
    await setting.quiet();

    const writing = setInterval(() => writeFileSync(path, `${performance.now()}`), 10);
    try {
      await setting.hinted(path);
    } finally {
      clearInterval(writing);
    }
  });

  it("nothing about neighbours that are not followed, nor about folders below", async () => {
    const folder = freshFolder();
    const [followed, neighbour, below] = [file(folder, "a.ts"), file(folder, "b.ts"), file(folder, "sub/a.ts")];
    const setting = trackerSetting();
    await setting.follow(followed);
    await setting.quiet();

    writeFileSync(neighbour, "two");
    writeFileSync(below, "two");
    await setting.tracker.settled();

    expect([...setting.hints.keys()]).toEqual([]);
  });
});

describe("a folder", () => {
  it.each<[string, (folder: string) => void]>([
    [
      "removed and made again at once",
      (folder) => {
        rmSync(folder, { recursive: true });
        file(folder, "a.ts", "two");
        file(folder, "b.ts", "two");
      },
    ],
    [
      "renamed and made again",
      (folder) => {
        renameSync(folder, `${folder}-old`);
        file(folder, "a.ts", "two");
        file(folder, "b.ts", "two");
      },
    ],
    [
      "replaced by another one",
      (folder) => {
        file(`${folder}-new`, "a.ts", "two");
        renameSync(folder, `${folder}-old`);
        renameSync(`${folder}-new`, folder);
      },
    ],
    [
      "whose parent is removed and made again",
      (folder) => {
        rmSync(dirname(folder), { recursive: true });
        file(folder, "a.ts", "two");
      },
    ],
    [
      "whose parent is renamed and made again",
      (folder) => {
        renameSync(dirname(folder), `${dirname(folder)}-old`);
        file(folder, "a.ts", "two");
      },
    ],
  ])("%s is hinted for all its files, and watched on", async (_what, change) => {
    const folder = join(freshFolder(), "parent", "folder");
    const [a, b] = [file(folder, "a.ts"), file(folder, "b.ts")];
    const setting = trackerSetting({ auditMs: 200 });
    await setting.follow(a, b);
    await setting.quiet();

    change(folder);

    await setting.hinted(a, b);
    await setting.quiet();
    writeFileSync(b, "three");
    await setting.hinted(b);
    expect(new Set(setting.states())).toEqual(new Set([setting.states()[0]]));
    expect(setting.states()[0]).toMatch(/^(attached|resumed)$/);
  });

  it("that is gone orphans its files, and its return resumes them", async () => {
    const folder = join(freshFolder(), "folder");
    const path = file(folder, "a.ts");
    const setting = trackerSetting();
    await setting.follow(path);
    await setting.quiet();

    rmSync(folder, { recursive: true });
    await setting.hinted(path);
    await setting.quiet();
    const whileGone = setting.states();
    file(folder, "a.ts", "two");
    await setting.hinted(path);
    await setting.quiet();

    expect(whileGone).toEqual(["orphaned: folder gone"]);
    expect(setting.states()).toEqual(["resumed"]);
    writeFileSync(path, "three");
    await setting.hinted(path);
  });

  it("that goes away without any of its files is noticed by its own event", async () => {
    const folder = join(freshFolder(), "folder");
    mkdirSync(folder);
    const setting = trackerSetting({ auditMs: 3_600_000 });
    await setting.follow(join(folder, "a.ts"));
    await setting.quiet();

    rmdirSync(folder);
    await setting.hinted(join(folder, "a.ts"));

    expect(setting.states()).toEqual(["orphaned: folder gone"]);
  });

  it("with a child of the same name is followed like any other", async () => {
    const folder = join(freshFolder(), "src");
    const path = file(folder, "src/src");
    const setting = trackerSetting();
    await setting.follow(path, join(folder, "other.ts"));
    await setting.quiet();

    rmSync(join(folder, "src"), { recursive: true });
    await setting.hinted(path);
    await setting.quiet();
    file(folder, "src/src", "two");

    await setting.hinted(path);
    await setting.quiet();
    expect(setting.states()[1]).toBe("attached");
  });

  it("that only appears after its files are followed is found", async () => {
    const folder = join(freshFolder(), "a", "b");
    const setting = trackerSetting();
    await setting.follow(join(folder, "c.ts"));
    const before = setting.states();

    file(folder, "c.ts");
    await setting.hinted(join(folder, "c.ts"));
    await setting.quiet();

    expect(before).toEqual(["orphaned: folder gone"]);
    expect(setting.states()).toEqual(["resumed"]);
  });

  it("reached through a link is watched where it really is", async () => {
    const root = freshFolder();
    file(root, "real/a.ts");
    symlinkSync(join(root, "real"), join(root, "link"));
    const setting = trackerSetting();
    await setting.follow(join(root, "link", "a.ts"));
    await setting.quiet();

    writeFileSync(join(root, "real", "a.ts"), "two");

    await setting.hinted(join(root, "link", "a.ts"));
  });

  it("replaced while two trackers of one process follow it is watched on for both", async () => {
    const folder = join(freshFolder(), "parent", "folder");
    const path = file(folder, "a.ts");
    const [one, other] = [trackerSetting({ auditMs: 50 }), trackerSetting({ auditMs: 60_000 })];
    await Promise.all([one.follow(path), other.follow(path)]);
    await Promise.all([one.quiet(), other.quiet()]);

    renameSync(dirname(folder), `${dirname(folder)}-old`);
    file(folder, "a.ts", "two");

    await Promise.all([one.hinted(path), other.hinted(path)]);
    await Promise.all([one.quiet(), other.quiet()]);
    writeFileSync(path, "three");
    await Promise.all([one.hinted(path), other.hinted(path)]);
  });

  it("is followed on by one tracker when another one of the process is closed", async () => {
    const path = file(freshFolder(), "a.ts");
    const [one, other] = [trackerSetting(), trackerSetting()];
    await Promise.all([one.follow(path), other.follow(path)]);
    await other.quiet();

    await one.tracker.close();
    writeFileSync(path, "two");

    await other.hinted(path);
  });

  it("that git takes away and brings back is followed on", async () => {
    const root = freshFolder();
    const git = (...args: readonly string[]): void => {
      execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...args], { cwd: root, stdio: "ignore" });
    };
    const path = file(root, "deep/er/a.ts");
    file(root, "top.ts");
    git("init", "-q", "-b", "main");
    git("add", ".");
    git("commit", "-qm", "one");
    git("checkout", "-qb", "other");
    git("rm", "-rq", "deep");
    git("commit", "-qm", "two");
    git("checkout", "-q", "main");
    const setting = trackerSetting();
    await setting.follow(path);
    await setting.quiet();

    git("checkout", "-q", "other");
    await setting.hinted(path);
    await setting.quiet();
    git("checkout", "-q", "main");
    await setting.hinted(path);
    await setting.quiet();

    writeFileSync(path, "two");
    await setting.hinted(path);
    expect(setting.states()).toEqual(["resumed"]);
  });
});
