// @module-tag process
// @module-tag long
// Verifies: SSOT 7.4: TLS as Postgres' own clients have it, and a sentence without the password where it cannot be had.
import { inspect } from "node:util";
import { withOwnPostgres } from "@cm/private-postgres/vitest";
import pg from "pg";
import { afterAll, describe, expect, it } from "vitest";
import { hasPrograms } from "../../../tools/has-programs.ts";
import { requirement } from "../../../tools/requirement.ts";
import { openPostgresStore } from "../src/index.ts";
import { type Certificates, makeCertificates } from "./support/certificates.ts";
import { toolcall } from "./support/documents.ts";
import { freshSchema, withPostgres } from "./support/on-postgres.ts";

const secret = "hunter2-of-mine";
const withSecret = (url: string): string => url.replace("cm@", `cm:${secret}@`);

requirement("openssl", () => hasPrograms("openssl"))("a Postgres with TLS", () => {
  const made: Certificates[] = [];
  const certificates = (): Certificates => {
    const fresh = makeCertificates();
    made.push(fresh);
    return fresh;
  };
  const [own, other] = [certificates(), certificates()];
  afterAll(() => {
    for (const each of made) each.remove();
  });

  withOwnPostgres(
    "with a certificate of a private CA",
    (postgres) => {
      const open = (parameters: string, url = postgres.url) =>
        openPostgresStore({ url: `${withSecret(url)}?${parameters}`, schema: freshSchema(), deadlineMs: 20_000 });

      it.each([
        ["require", "sslmode=require"],
        ["require with its CA", `sslmode=require&sslrootcert=${own.ca}`],
        ["verify-ca", `sslmode=verify-ca&sslrootcert=${own.ca}`],
        ["verify-full", `sslmode=verify-full&sslrootcert=${own.ca}`],
      ])("is written and read over an encrypted connection under %s", async (_name, parameters) => {
        const store = await open(parameters);
        const document = toolcall("t1", "over TLS");

        await store.commit([{ document, expect: "absent" }]);

        expect((await store.getMany([document["xt/id"]])).get(document["xt/id"])?.document).toEqual(document);
        expect(await connectionsOf(postgres.url)).toEqual([true]);
        await store.close();
      });

      it.each([
        ["another CA", () => open(`sslmode=verify-full&sslrootcert=${other.ca}`), "TLS"],
        ["another CA under require", () => open(`sslmode=require&sslrootcert=${other.ca}`), "TLS"],
        ["no CA that the machine knows", () => open("sslmode=verify-full"), "TLS"],
        [
          "another name",
          () => open(`sslmode=verify-full&sslrootcert=${own.ca}`, postgres.url.replace("127.0.0.1", "localhost")),
          "TLS",
        ],
        ["a CA file that is not there", () => open("sslmode=verify-full&sslrootcert=/no/such/ca.pem"), "sslrootcert"],
        ["verify-ca without a CA", () => open("sslmode=verify-ca"), "sslrootcert"],
      ])("is refused in a sentence without the password: %s", async (_name, opened, words) => {
        const error: unknown = await opened().catch((thrown: unknown) => thrown);

        expect(error).toMatchObject({ code: "store/unavailable", message: expect.stringContaining(words) });
        expect(inspect(error, { depth: 10, showHidden: true })).not.toContain(secret);
      });
    },
    () => ({ settings: ["ssl=on", `ssl_cert_file=${own.certificate}`, `ssl_key_file=${own.key}`] }),
  );
});

describe("a Postgres without TLS", () => {
  withPostgres("that is asked for it", (postgres) => {
    it.each(["require", "verify-full"])("is refused under %s", async (mode) => {
      const url = `${withSecret(postgres.url)}?sslmode=${mode}`;

      const error: unknown = await openPostgresStore({ url, schema: freshSchema() }).catch((thrown: unknown) => thrown);

      expect(error).toMatchObject({ code: "store/unavailable", message: expect.stringContaining("TLS") });
      expect(inspect(error, { depth: 10, showHidden: true })).not.toContain(secret);
    });
  });
});

/** Of each connection of a store, whether it is encrypted. */
async function connectionsOf(url: string): Promise<readonly boolean[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ ssl: boolean }>(
    "SELECT DISTINCT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE application_name = 'cm'",
  );
  await client.end();
  return rows.map(({ ssl }) => ssl);
}
