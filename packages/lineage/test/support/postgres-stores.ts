import type { ObjectStore } from "@cm/object-model";
import { findPostgres, type PrivatePostgres, startPrivatePostgres } from "@cm/private-postgres";
import { openPostgresStore } from "@cm/store-postgres";
import { afterAll, beforeAll } from "vitest";
import { requirement } from "../../../../tools/requirement.ts";
import { lineageTypes } from "../../src/index.ts";
import { type OnStores, type Opened, within } from "./stores.ts";

/** One server for all tests, each in a schema of its own. */
export const onPostgres: OnStores = (title, tests) => {
  requirement("Postgres", () => findPostgres() !== undefined)(title, () => {
    let server: PrivatePostgres | undefined;
    let schemas = 0;
    beforeAll(async () => {
      server = await startPrivatePostgres();
    });
    afterAll(() => server?.stop());
    tests((work) => {
      schemas += 1;
      return within(inSchema(server?.url ?? "", `lineage_${schemas}`), work);
    });
  });
};

const places = new WeakMap<ObjectStore, string>();

/** Where a store of `onPostgres` is, for another process: the server's URL and a schema. */
export function whereOf(store: ObjectStore): string {
  const place = places.get(store);
  if (place === undefined) throw new RangeError("The store is none of these.");
  return place;
}

async function inSchema(url: string, schema: string): Promise<Opened> {
  const store = await openPostgresStore({ url, schema, types: lineageTypes, connections: 4 });
  places.set(store, `${url} ${schema}`);
  return { store, end: async () => {} };
}
