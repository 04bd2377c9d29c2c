// Verifies: SSOT 5.12: /cm off always changes one setting and nothing else in the file.
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { settingsFile } from "../../src/settings/folders.ts";
import { writeOff } from "../../src/settings/write-off.ts";

let agentDir = "";
beforeEach(() => {
  agentDir = mkdtempSync(join(tmpdir(), "cm-write-off-"));
});
afterEach(() => rmSync(agentDir, { recursive: true, force: true }));

function written(text: string): string {
  mkdirSync(dirname(settingsFile(agentDir)));
  writeFileSync(settingsFile(agentDir), text, { mode: 0o644 });
  return settingsFile(agentDir);
}

describe("off for all sessions", () => {
  it("is written where there was nothing, for the owner alone", () => {
    writeOff(agentDir, true);

    const path = settingsFile(agentDir);
    expect(JSON.parse(readFileSync(path, "utf8"))).toEqual({ off: true });
    expect([statSync(path).mode & 0o777, statSync(dirname(path)).mode & 0o777]).toEqual([0o600, 0o700]);
    expect(readdirSync(dirname(path))).toEqual(["settings.json"]);
  });

  it.each([
    ['{\n  "off": false, // for now\n  "preset": "lean"\n}\n', '{\n  "off": true, // for now\n  "preset": "lean"\n}\n'],
    ['{ "preset": "lean" }', '{\n  "preset": "lean",\n  "off": true\n}'],
    ["\uFEFF{}", '{\n  "off": true\n}'],
    ["", '{\n  "off": true\n}\n'],
  ])("leaves the rest of %j as it was", (before, after) => {
    const path = written(before);

    writeOff(agentDir, true);

    expect(readFileSync(path, "utf8")).toBe(after);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it("ends, and the comment before it stays", () => {
    const path = written('{\n  // mine\n  "off": true,\n  "preset": "lean"\n}\n');

    writeOff(agentDir, false);

    expect(readFileSync(path, "utf8")).toBe('{\n  // mine\n  "off": false,\n  "preset": "lean"\n}\n');
  });

  it("needs no file to end", () => {
    writeOff(agentDir, false);

    expect(readdirSync(agentDir)).toEqual([]);
  });

  it("goes through a link to the file that it leads to", () => {
    const target = join(agentDir, "dotfiles.json");
    writeFileSync(target, "{}");
    mkdirSync(dirname(settingsFile(agentDir)));
    symlinkSync(target, settingsFile(agentDir));

    writeOff(agentDir, true);

    expect(lstatSync(settingsFile(agentDir)).isSymbolicLink()).toBe(true);
    expect(JSON.parse(readFileSync(target, "utf8"))).toEqual({ off: true });
  });

  it.each(["{ off: true", "[]"])("is refused where the file is %j, which stays as it is", (before) => {
    const path = written(before);

    expect(() => writeOff(agentDir, true)).toThrow(
      /settings\.json is no JSON object; mend it, or write "off" into it by hand\.$/,
    );

    expect(readFileSync(path, "utf8")).toBe(before);
  });
});
