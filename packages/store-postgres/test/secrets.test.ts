// @module-tag process
// @module-tag long
// Verifies: T18: neither a password nor content nor SQL is in an error, and what cannot be opened is told in a sentence.
import { inspect } from "node:util";
import { expect, it } from "vitest";
import { openPostgresStore } from "../src/index.ts";
import { withPostgres } from "./support/on-postgres.ts";

const secret = "hunter2-of-mine";

withPostgres("an address that cannot be used", (postgres) => {
  it.each([
    ["not a URL", () => `postgres//cm:${secret}@nowhere`, "cannot be read"],
    ["another protocol", () => `mysql://cm:${secret}@127.0.0.1/db`, "cannot be read"],
    ["two hosts", () => `postgres://cm:${secret}@a:5432,b:5432/db`, "one host"],
    ["two hosts as a parameter", () => `postgres://cm:${secret}@/db?host=a%2Cb`, "one host"],
    ["no server", () => `postgres://cm:${secret}@127.0.0.1:1/db`, "cannot be reached"],
    ["no host of this name", () => `postgres://cm:${secret}@no-such-host.invalid/db`, "cannot be reached"],
    ["no such database", () => postgres.url.replace("cm@", `cm:${secret}@`).replace(/[^/]+$/, "absent"), "database"],
    ["no such user", () => postgres.url.replace("cm@", `nobody:${secret}@`), "login"],
    ["no TLS there", () => `${postgres.url.replace("cm@", `cm:${secret}@`)}?sslmode=verify-full`, "TLS"],
    [
      "a namespace that is none",
      () => `${postgres.url.replace("cm@", `cm:${secret}@`)}?schema=${secret}-x`,
      "namespace",
    ],
  ])("says so without its password: %s", async (_name, url, words) => {
    const error: unknown = await openPostgresStore({ url: url(), deadlineMs: 500 }).catch((thrown: unknown) => thrown);

    expect(error).toMatchObject({ code: "store/unavailable", message: expect.stringContaining(words) });
    expect(inspect(error, { depth: 10, showHidden: true })).not.toContain(secret);
  });

  it("may have a comma in its password", async () => {
    const store = await postgres.open({ url: postgres.url.replace("cm@", "cm:a,b@") });
    await store.close();
  });

  it("is shown without its login", async () => {
    const store = await postgres.open({
      url: `${postgres.url.replace("cm@", `cm:${secret}@`)}?application_name=${secret}`,
    });

    expect(store.shown).toMatch(/^postgres:\/\/127\.0\.0\.1:\d+\/t_\w+ \(\w+\)$/);
    await store.close();
  });
});
