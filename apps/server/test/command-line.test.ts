// @module-tag process
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { program } from "../src/command-line.ts";
import { readAccess } from "../src/http/access.ts";
import { openStates } from "../src/store/open-states.ts";
import { openStore } from "../src/store/open-store.ts";
import { folderWith, removed } from "./support/scripted.ts";

const model = { id: "m", api: "openai-completions", baseUrl: "http://127.0.0.1:1/v1" };
let folder: string;
beforeAll(() => {
  folder = folderWith({ "presets.json": JSON.stringify({ presets: { p: { model } } }) });
});
afterAll(() => removed(folder));

async function cmServer(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const out: string[] = [];
  const stop = { now: () => {} };
  const stopped = new Promise<void>((resolve) => {
    stop.now = resolve;
  });
  const world = {
    ...{ env, cwd: folder, stopped, err: () => {} },
    out: (line: string) => {
      out.push(line);
      if (line.includes("listens on")) stop.now();
    },
  };
  await program(world).parseAsync([...args], { from: "user" });
  return out;
}

describe("cm-server", () => {
  it("takes requests until it is told to stop, and makes its store for its owner alone", async () => {
    const out = await cmServer(["--port", "0", "--store", "new/cm.db", "--states", "states"]);

    expect(out[0]).toMatch(/^cm-server \d+\.\d+\.\d+ listens on http:\/\/127\.0\.0\.1:\d+$/);
    expect(statSync(join(folder, "new/cm.db")).mode & 0o077).toBe(0);
  });

  it.each([
    ["a file of presets that is not there", ["--presets", "none.json"], "name a file with --presets"],
    ["an address beyond this machine without tokens", ["--host", "0.0.0.0", "--store", "cm.db"], "needs tokens"],
    [
      "a store that is neither a file nor a node",
      ["--store", "ftp://host/x"],
      "name a SQLite file, a Postgres or an XTDB node",
    ],
    ["a file of tokens with tokens in it", ["--tokens", "presets.json"], "Line 1 of"],
    ["a bucket without a name", ["--store", "cm.db", "--states", "s3://"], "s3://bucket/prefix"],
  ])("refuses %s", async (_what, args, sentence) => {
    await expect(cmServer(["--port", "0", ...args])).rejects.toThrow(sentence);
  });

  it("makes tokens that it knows by their hash alone", async () => {
    const [line = "", told = ""] = await cmServer(["token", "me"]);
    const token = told.split(" ").at(-1) ?? "";
    writeFileSync(join(folder, "tokens"), `# whose\n${line}\n`);

    const access = readAccess(join(folder, "tokens"), {});

    expect(access.nameOf(`Bearer ${token}`)).toBe("me");
    expect(access.nameOf(`Bearer ${token}x`)).toBeUndefined();
    expect(readFileSync(join(folder, "tokens"), "utf8")).not.toContain(token);
  });
});

it("opens the store and the states that are meant", async () => {
  const store = await openStore({}, { env: { CM_STORE: "from-variable.db" }, cwd: folder });
  await store.close();

  expect(existsSync(join(folder, "from-variable.db"))).toBe(true);
  expect(openStates("s3://bucket/team", {}).contract).toBe("state-store/1");
});
