import type { ObjectStore } from "@cm/object-model";
import { withPostgres } from "@cm/private-postgres/vitest";
import { openPostgresStore } from "@cm/store-postgres";
import { lineageTypes } from "../../src/index.ts";
import { type OnStores, type Opened, within } from "./stores.ts";

/** One database for all tests, each in a schema of its own. */
export const onPostgres: OnStores = (title, tests) => {
  withPostgres(title, (postgres) => {
    let schemas = 0;
    tests((work) => {
      schemas += 1;
      return within(inSchema(postgres.url, `lineage_${schemas}`), work);
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
