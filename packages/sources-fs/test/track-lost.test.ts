// @module-tag long
// Verifies: SSOT 5.9, F9
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { openTracker, type WatchFolder } from "@cm/sources-fs";
import { describe, expect, it, onTestFinished } from "vitest";
import { freshFolder } from "./support/storm-folder.ts";
import { bindingOf, trackerSetting } from "./support/storm-tracker.ts";

const failing = (code: string): Error => Object.assign(new Error(code), { code });

/** A machine with so many watches: closing one gives it back. */
function machineWith(watches: number, code = "ENOSPC") {
  let free = watches;
  let asked = 0;
  const watch: WatchFolder = async () => {
    asked += 1;
    if (free <= 0) throw failing(code);
    free -= 1;
    return {
      close: async () => {
        free += 1;
      },
    };
  };
  return {
    watch,
    asked: () => asked,
    give: (more: number) => {
      free += more;
    },
  };
}

/** One file in each of so many folders. */
function foldersWithFiles(count: number): string[] {
  const root = freshFolder();
  return Array.from({ length: count }, (_, n) => {
    mkdirSync(join(root, `folder-${n}`));
    const path = join(root, `folder-${n}`, "a.ts");
    writeFileSync(path, "one");
    return path;
  });
}

const count = (states: readonly string[], state: string): number => states.filter((other) => other === state).length;

describe("a machine that runs out of watches", () => {
  for (const watches of [0, 1, 10, 100]) {
    for (const code of ["ENOSPC", "EMFILE"]) {
      it(`follows ${watches} folders and says of the rest that no watches are left (${code})`, async () => {
        const setting = trackerSetting({ watch: machineWith(watches, code).watch });

        await setting.follow(...foldersWithFiles(120));

        expect(count(setting.states(), "attached")).toBe(watches);
        expect(count(setting.states(), "orphaned: no watches left")).toBe(120 - watches);
      });
    }
  }

  it("hints files without a watch when `settled` is called", async () => {
    const paths = foldersWithFiles(20);
    const setting = trackerSetting({ watch: machineWith(0).watch });
    await setting.follow(...paths);
    await setting.quiet();

    for (const path of paths) writeFileSync(path, "two, and longer");
    await setting.tracker.settled();

    expect([...setting.hints.keys()].sort()).toEqual([...paths].sort());
  });

  it("gets the rest back by itself once there are watches again, and hints it", async () => {
    const machine = machineWith(3);
    const paths = foldersWithFiles(10);
    const setting = trackerSetting({ watch: machine.watch, retryMs: 50 });
    await setting.follow(...paths);
    const orphaned = setting.states().flatMap((state, n) => (state === "attached" ? [] : [paths[n] ?? ""]));
    await setting.quiet();

    machine.give(7);
    await setting.hinted(...orphaned);

    expect(orphaned.length).toBe(7);
    expect([count(setting.states(), "attached"), count(setting.states(), "resumed")]).toEqual([3, 7]);
  });

  it("is asked for one folder, not for all, while it has none", async () => {
    const machine = machineWith(0);
    const setting = trackerSetting({ watch: machine.watch, retryMs: 1 });
    await setting.follow(...foldersWithFiles(50));
    const first = machine.asked();

    const seen = new Promise<number>((resolve) => {
      const timer = setInterval(() => {
        if (machine.asked() - first < 3) return;
        clearInterval(timer);
        resolve(machine.asked() - first);
      }, 1);
    });

    expect(await seen).toBeLessThan(10);
  });
});

describe("a tracker's own bound on folders", () => {
  it("leaves what is beyond it to the sweep, and lets a later call try again", async () => {
    const paths = foldersWithFiles(5);
    const setting = trackerSetting({ watchedFoldersMax: 3 });
    await setting.follow(...paths);
    const first = setting.states();
    const gone = paths[first.indexOf("attached")] ?? "";
    rmSync(join(gone, ".."), { recursive: true });
    await setting.tracker.settled();

    await setting.follow(...paths);

    expect([count(first, "attached"), count(first, "orphaned: no watches left")]).toEqual([3, 2]);
    const then = setting.states();
    expect([count(then, "attached"), count(then, "resumed")]).toEqual([2, 1]);
    expect([count(then, "orphaned: folder gone"), count(then, "orphaned: no watches left")]).toEqual([1, 1]);
  });
});

describe("one folder's trouble", () => {
  it.each([
    ["EACCES", "folder not permitted"],
    ["EPERM", "folder not permitted"],
    ["ENOENT", "folder gone"],
    ["EIO", "watch failed"],
  ])("%s orphans its own files with fixed words, and no others", async (code, reason) => {
    const [bad = "", good = ""] = foldersWithFiles(2);
    const watch: WatchFolder = async (folder) => {
      if (bad.startsWith(`${folder}/`)) throw failing(code);
      return { close: async () => undefined };
    };
    const setting = trackerSetting({ watch });

    await setting.follow(bad, good);

    expect(setting.states()).toEqual([`orphaned: ${reason}`, "attached"]);
  });

  it("a watch that fails later is made again, and what may have been missed is hinted", async () => {
    const [path = ""] = foldersWithFiles(1);
    const failures: ((error: unknown) => void)[] = [];
    const setting = trackerSetting({
      watch: async (_folder, events) => {
        failures.push(events.onFailure);
        return { close: () => Promise.reject(failing("EIO")) };
      },
    });
    await setting.follow(path);
    await setting.quiet();

    failures[0]?.(failing("EIO"));
    await setting.hinted(path);

    expect(failures.length).toBe(2);
    expect(setting.states()).toEqual(["attached"]);
  });

  it("a folder that is replaced while its watch is made gets another one", async () => {
    const [path = ""] = foldersWithFiles(1);
    const closed: unknown[] = [];
    let asked = 0;
    const setting = trackerSetting({
      watch: async (folder) => {
        asked += 1;
        if (asked === 1) {
          renameSync(folder, `${folder}-old`);
          mkdirSync(folder);
        }
        return { close: async (options) => void closed.push(options) };
      },
    });

    await setting.follow(path);
    const first = setting.states();
    await setting.tracker.settled();

    expect(closed).toEqual([{ isStale: true }]);
    expect([first, setting.states()]).toEqual([["orphaned: folder gone"], ["resumed"]]);
  });

  it("is over for files that this client cannot find, with the source's own words", async () => {
    const [path = ""] = foldersWithFiles(1);
    let reachable = false;
    const setting = trackerSetting({
      localPathOf: () => (reachable ? { path } : { unreachable: "no mapping" }),
    });
    await setting.follow(path);
    const before = setting.states();

    reachable = true;
    await setting.follow(path);

    expect(before).toEqual(["orphaned: no mapping"]);
    expect(setting.states()).toEqual(["resumed"]);
  });
});

describe("following", () => {
  it("keeps the order, and following twice changes nothing", async () => {
    const paths = foldersWithFiles(3);
    const setting = trackerSetting();

    await setting.follow(...[...paths].reverse());
    await setting.follow(...paths);

    expect(setting.tracker.states().map(({ binding }) => binding.path)).toEqual([...paths].reverse());
  });

  it("is unchecked until the watch is ready", async () => {
    const [path = ""] = foldersWithFiles(1);
    const setting = trackerSetting();

    const following = setting.follow(path);

    expect(setting.states()).toEqual(["unchecked"]);
    await following;
    expect(setting.states()).toEqual(["attached"]);
  });

  it("hints what changed while the watch was made", async () => {
    const [path = ""] = foldersWithFiles(1);
    const setting = trackerSetting({
      watch: async () => {
        writeFileSync(path, "two, and longer");
        return { close: async () => undefined };
      },
    });

    await setting.follow(path);

    await setting.hinted(path);
  });

  it("outlives a listener that throws", async () => {
    const [path = ""] = foldersWithFiles(1);
    let calls = 0;
    const called: (() => void)[] = [];
    const tracker = openTracker({
      localPathOf: ({ path }) => ({ path }),
      onHint: () => {
        calls += 1;
        for (const tell of called) tell();
        throw new Error("the listener's own");
      },
    });
    onTestFinished(() => tracker.close());
    await tracker.follow([bindingOf(path)]);
    await tracker.settled();
    const before = calls;

    const again = new Promise<void>((resolve) => called.push(resolve));
    writeFileSync(path, "two");
    await again;

    expect(calls).toBeGreaterThan(before);
  });
});

describe("a closed tracker", () => {
  it("says so for every file, hints nothing, and follows nothing any more", async () => {
    const [one = "", two = ""] = foldersWithFiles(2);
    const setting = trackerSetting();
    await setting.follow(one);
    await setting.quiet();
    writeFileSync(one, "two");

    await setting.tracker.close();
    await setting.tracker.close();
    await setting.follow(two);
    await setting.tracker.settled();

    expect(setting.states()).toEqual(["orphaned: tracker closed", "orphaned: tracker closed"]);
    expect([...setting.hints.keys()]).toEqual([]);
  });

  it("stays closed although watches were still being made, and gives those back", async () => {
    const machine = machineWith(100);
    const paths = foldersWithFiles(50);
    const setting = trackerSetting({ watch: machine.watch });

    const following = setting.follow(...paths);
    await setting.tracker.close();
    await following;

    expect(new Set(setting.states())).toEqual(new Set(["orphaned: tracker closed"]));
    const other = trackerSetting({ watch: machine.watch });
    machine.give(-50);
    await other.follow(...paths);
    expect(count(other.states(), "attached")).toBe(50);
  });

  it("hints nothing that was being looked at", async () => {
    const folder = freshFolder();
    const paths = ["a.ts", "b.ts", "c.ts"].map((name) => join(folder, name));
    const hinted: string[] = [];
    let closing = (): void => undefined;
    let fail = (_error: Error): void => undefined;
    const setting = trackerSetting({
      watch: async (_folder, { onFailure }) => {
        fail = onFailure;
        return { close: async () => undefined };
      },
      onHint: ({ path }) => {
        hinted.push(path);
        closing();
      },
    });
    await setting.follow(...paths);
    await setting.tracker.settled();
    hinted.length = 0;
    const closed = new Promise<void>((resolve) => {
      closing = () => resolve(setting.tracker.close());
    });

    // All files of the folder are then due in the same moment.
    fail(failing("EIO"));
    await closed;
    // The looks that were under way are over when later ones are.
    await Promise.all(Array.from({ length: 20 }, () => stat(folder)));

    expect(hinted.length).toBe(1);
  });

  it("lets those go who wait for it", async () => {
    const [path = ""] = foldersWithFiles(1);
    const setting = trackerSetting();
    await setting.follow(path);
    writeFileSync(path, "two");

    const waiting = setting.tracker.settled();
    await setting.tracker.close();

    await waiting;
  });
});
