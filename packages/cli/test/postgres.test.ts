// @module-tag process
// @module-tag long
// Verifies: SSOT 2.8, 7.4: every command works on a Postgres, and `cm copy` moves a whole store there and back.
import { withPostgres } from "@cm/private-postgres/vitest";
import { beforeAll, expect, it } from "vitest";
import { inProcess } from "./support/in-process.ts";
import { jsonLines } from "./support/run-cm.ts";
import { sampleFolder } from "./support/sample-file.ts";

const secret = "hunter2-of-mine";

withPostgres("cm on a Postgres", (postgres) => {
  const sample = sampleFolder();
  let url = "";
  beforeAll(() => {
    url = postgres.url.replace("cm@", `cm:${secret}@`);
  });
  const on = (store: string, ...args: string[]) => inProcess(["--store", store, ...args]);

  it("says that there is no store yet, and makes one when it is asked to", async () => {
    const missing = `${url}?schema=fresh`;

    const refused = await on(missing, "sessions");
    expect(refused).toMatchObject({ status: expect.not.stringMatching("0"), stdout: "" });
    expect(refused.stderr).toContain('The store "fresh" is not there');
    expect((await on(missing, "upgrade")).stdout).toMatch(/\/\w+ \(fresh\) has the schema of this version\./);
    expect((await on(missing, "sessions")).status).toBe(0);
    expect((await on(missing, "compact")).stderr).toContain("VACUUM");
  });

  it("has a whole store copied there and back, and says the same of it", async () => {
    const back = sample.at("back.sqlite");

    const there = await on(sample.store, "--json", "copy", "--to", url, "--to-namespace", "copied");
    const again = await on(sample.store, "copy", "--to", url, "--to-namespace", "copied");
    const resumed = await on(sample.store, "copy", "--to", url, "--to-namespace", "copied", "--resume");
    const returned = await inProcess(["copy", "--from", `${url}?schema=copied`, "--to", back]);

    const [receipt] = jsonLines(there.stdout) as { versions: number; from: string; to: string }[];
    expect(there.status).toBe(0);
    expect(receipt?.versions).toBeGreaterThan(10);
    expect(again.stderr).toContain("has objects");
    expect(resumed.stdout).toContain(`${receipt?.versions} versions`);
    expect(returned.status).toBe(0);
    for (const args of [
      ["sessions"],
      ["show", "alpha"],
      ["at", "alpha@1", "--prompt"],
      ["requests", "alpha"],
      ["--json", "history", "alpha"],
      ["verify"],
    ]) {
      const [first, second, third] = await Promise.all(
        [sample.store, `${url}?schema=copied`, back].map((store) => on(store, ...args)),
      );
      expect(plain(second?.stdout), args.join(" ")).toBe(plain(first?.stdout));
      expect(plain(third?.stdout), args.join(" ")).toBe(plain(first?.stdout));
    }
    expect(JSON.stringify([there, again, resumed, returned])).not.toContain(secret);
  });

  it("is looked over by the doctor, and shows no login", async () => {
    await on(`${url}?schema=looked`, "upgrade");

    const { stdout, stderr } = await on(`${url}?schema=looked`, "doctor");

    expect(stdout).toMatch(/store: postgres:\/\/127\.0\.0\.1:\d+\/\w+ \(looked\) \(--store\)/);
    expect(stdout + stderr).not.toContain(secret);
  });

  it("says in a sentence that the server is away, without the login", async () => {
    const away = await on(`postgres://cm:${secret}@127.0.0.1:1/db`, "sessions");

    expect(away.stderr).toContain("postgres://127.0.0.1:1/db: Postgres cannot be reached");
    expect(away.stdout + away.stderr).not.toContain(secret);
  });
});

/** Bases and tokens are each store's own. */
const plain = (text: string | undefined): string => (text ?? "").replace(/"(basis|token)":"[^"]*"/g, "");
