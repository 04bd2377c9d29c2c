// Verifies: what the machine says of a store's file: there, rights, sizes.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { isOpenToReading, isOpenToWriting, limits, modeText, storeFileFacts } from "../src/index.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cm-store-place-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

it("says what is not there, and what is something else", () => {
  mkdirSync(join(folder, "a-folder"));
  writeFileSync(join(folder, "a-file"), "");

  expect(storeFileFacts(join(folder, "gone.sqlite"))).toBe("missing");
  expect(storeFileFacts(join(folder, "gone", "gone.sqlite"))).toBe("missing");
  expect(storeFileFacts(join(folder, "a-folder"))).toBe("other");
});

it("says sizes and rights of what is there", () => {
  const path = join(folder, "a.sqlite");
  writeFileSync(path, "12345");
  writeFileSync(`${path}-wal`, "");
  truncateSync(`${path}-wal`, limits.logBytesWarn + 1);

  expect(storeFileFacts(path)).toMatchObject({
    ...{ folder, bytes: 5, logBytes: limits.logBytesWarn + 1, isLogLarge: true },
    ...{ isFileWritable: true, isFolderWritable: true, isOnNetwork: false },
  });
});

it("says whom files and folders are open to", () => {
  const path = join(folder, "a.sqlite");
  writeFileSync(path, "");
  chmodSync(path, 0o640);
  chmodSync(folder, 0o1777);

  const facts = storeFileFacts(path);

  if (typeof facts === "string") throw new Error(facts);
  if (process.platform === "win32") {
    expect([facts.fileMode, facts.folderMode]).toEqual([undefined, undefined]);
    return;
  }
  expect([isOpenToReading(facts.fileMode), isOpenToWriting(facts.fileMode)]).toEqual([true, false]);
  expect([isOpenToWriting(facts.folderMode), modeText(facts.folderMode ?? 0)]).toEqual([true, "777"]);
  expect((facts.folderMode ?? 0) & 0o1000).toBe(0o1000);
});
