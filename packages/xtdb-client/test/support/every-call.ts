import { datalog, type XtdbClient } from "../../src/index.ts";

/** One call of each method, with arguments that suit the scripted server. */
export function everyCall(client: XtdbClient): readonly (() => Promise<unknown>)[] {
  const all = async (items: AsyncIterable<unknown>) => {
    for await (const _ of items);
  };
  return [
    () => client.status(),
    () => client.health(),
    () => client.sync(),
    () => client.latestCompleted(),
    () => client.latestSubmitted(),
    () => client.basis(),
    () => client.awaitTx(7),
    () => client.isCommitted(7),
    () => client.submit([]),
    () => client.submitAndConfirm([]),
    () => client.entity("a"),
    () => client.entityTx("a"),
    () => client.query(datalog`{:find [e]}`),
    () => client.pull(["a"]),
    () => client.histories(["a"]),
    () => all(client.history("a")),
    () => all(client.txLog()),
  ];
}
