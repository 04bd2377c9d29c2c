import { datalog, type XtdbClient } from "@cm/xtdb-client";

export const past = new Date("2001-01-01T00:00:00.000Z");
const inside = datalog`{:find [e] :in [canary] :where [[e :content canary]]}`;
const everything = datalog`{:find [(pull e [*])] :in [] :where [[e :xt/id]]}`;

/** All that the node gives about a namespace and has given at a basis, as text. Ids are what a person would ask for. */
export async function whatRoutesGive(
  client: XtdbClient,
  { namespace, basis, canary }: { readonly namespace: string; readonly basis: string; readonly canary: string },
): Promise<string> {
  const given: unknown[] = [];
  const ids = new Set<string>();
  const txId = Number(/^x(\d+)/.exec(basis)?.[1]);
  for await (const entry of client.txLog({ afterTxId: txId - 1, operations: true })) {
    for (const operation of entry.operations ?? []) {
      const [, subject] = operation as readonly [unknown, unknown];
      const id =
        typeof subject === "object" && subject !== null ? (subject as { "xt/id"?: unknown })["xt/id"] : subject;
      if (typeof id === "string" && id.startsWith(`in:${namespace}:`)) ids.add(id);
    }
    given.push(entry.operations);
  }
  const moments = [{}, { txId }, { txId, validTime: past }, { validTime: past }, { validTime: new Date("9999-01-01") }];
  for (const at of moments) {
    for (const id of ids) given.push(await client.entity(id, at));
    given.push([...(await client.pull([...ids], at))].filter(([id]) => ids.has(String(id))));
    given.push(await client.query(inside, [canary], at));
    const rows = await client.query(everything, [], at);
    given.push(rows.filter((row) => JSON.stringify(row).includes(namespace)));
  }
  for (const id of ids) {
    given.push(await client.entityTx(id));
    for await (const entry of client.history(id)) given.push(entry);
  }
  given.push([...(await client.histories([...ids]))]);
  // Ids of objects stay: they are part of the stamps. The canary stands in none of them.
  return JSON.stringify(given);
}
