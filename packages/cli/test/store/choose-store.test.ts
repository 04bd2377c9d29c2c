// Verifies: which store is meant: the option, then CM_XTDB_URL, then CM_STORE, then the file of the Pi extension.
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { chooseStore } from "../../src/store/choose-store.ts";

const cwd = resolve("/somewhere");
const all = { CM_XTDB_URL: "http://127.0.0.1:1,http://127.0.0.1:2", CM_XTDB_TOKEN: "secret", CM_STORE: "b.sqlite" };

describe("the store", () => {
  it("is what the option says, before anything in the environment", () => {
    expect(chooseStore({ store: "a.sqlite" }, { env: all, cwd })).toEqual({
      ...{ kind: "sqlite", path: resolve(cwd, "a.sqlite"), saidBy: "--store" },
    });
  });

  it("is the node of CM_XTDB_URL with its token, before CM_STORE", () => {
    expect(chooseStore({}, { env: all, cwd })).toEqual({
      ...{ kind: "xtdb", urls: ["http://127.0.0.1:1", "http://127.0.0.1:2"], namespace: "", token: "secret" },
      saidBy: "CM_XTDB_URL",
    });
  });

  it("may be a node in the option and in CM_STORE, with a namespace", () => {
    const env = { CM_STORE: "https://x.example", CM_XTDB_NAMESPACE: "mine" };

    expect(chooseStore({}, { env, cwd })).toMatchObject({ kind: "xtdb", namespace: "mine", saidBy: "CM_STORE" });
    expect(chooseStore({ store: "http://[::1]:3", namespace: "other" }, { env, cwd })).toMatchObject({
      ...{ kind: "xtdb", namespace: "other", saidBy: "--store" },
    });
  });

  it("is the agent's file where nothing is said, in its folder or in that of PI_CODING_AGENT_DIR", () => {
    expect(chooseStore({}, { env: {}, cwd })).toMatchObject({
      path: join(homedir(), ".pi", "agent", "context-manager", "objects.sqlite"),
    });
    expect(chooseStore({}, { env: { PI_CODING_AGENT_DIR: "~/p" }, cwd })).toMatchObject({
      path: join(homedir(), "p", "context-manager", "objects.sqlite"),
    });
    expect(chooseStore({}, { env: { PI_CODING_AGENT_DIR: "/agent", CM_STORE: "" }, cwd })).toMatchObject({
      ...{ kind: "sqlite", saidBy: "the default", path: resolve("/agent/context-manager/objects.sqlite") },
    });
  });

  it.each([
    [{ store: "" }, "--store names nothing"],
    [{ store: "mysql://x" }, "neither postgres nor http"],
    [{ store: "a.sqlite", namespace: "x" }, "--namespace is for Postgres and XTDB"],
  ])("is refused where it makes no sense: %j", (options, sentence) => {
    expect(() => chooseStore(options, { env: {}, cwd })).toThrow(sentence);
  });
});
