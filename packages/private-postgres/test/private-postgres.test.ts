// @module-tag process
// @module-tag long
// Verifies: what tests of stores start: a Postgres that ends, comes back with its data, and leaves nothing behind.
import { existsSync } from "node:fs";
import { connect } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { requirement } from "../../../tools/requirement.ts";
import { findPgBouncer, findPostgres, startPgBouncer, startPrivatePostgres } from "../src/index.ts";

const answers = (url: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host: "127.0.0.1", port: Number(new URL(url).port) });
    // A connection that says nothing would keep a killed server's memory for a minute.
    socket.on("connect", () => resolve(socket.destroy().destroyed)).on("error", () => resolve(false));
  });

requirement("Postgres", () => findPostgres() !== undefined)("a private Postgres", () => {
  it("is killed, comes back at the same address, and is gone at the end with its folder", async () => {
    const postgres = await startPrivatePostgres();
    onTestFinished(() => postgres.stop());
    expect(await answers(postgres.url)).toBe(true);

    await postgres.kill();
    // A process that it had just begun holds the address until it notices.
    await expect.poll(() => answers(postgres.url)).toBe(false);
    await postgres.start();
    expect(await answers(postgres.url)).toBe(true);

    await postgres.stop();
    expect(await answers(postgres.url)).toBe(false);
    expect(existsSync(postgres.data)).toBe(false);
  });
});

requirement("Postgres", () => findPostgres() !== undefined)("a standby", () => {
  it("outlives its primary, is promoted and comes back as what it became, and is gone at the end", async () => {
    const primary = await startPrivatePostgres();
    onTestFinished(() => primary.stop());
    const standby = await primary.startStandby({ answers: false });
    onTestFinished(() => standby.stop());

    await primary.kill();
    await standby.promote();
    await standby.kill();
    await standby.start();
    expect(await answers(standby.url)).toBe(true);

    await standby.stop();
    expect(existsSync(standby.data)).toBe(false);
  });
});

requirement("Postgres and PgBouncer", () => findPostgres() !== undefined && findPgBouncer() !== undefined)(
  "a private PgBouncer",
  () => {
    it("listens in front of it", async () => {
      const postgres = await startPrivatePostgres();
      onTestFinished(() => postgres.stop());
      const bouncer = await startPgBouncer(postgres);
      onTestFinished(() => bouncer.stop());

      expect(await answers(bouncer.url)).toBe(true);
    });
  },
);
