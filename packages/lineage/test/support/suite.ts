import { describe } from "vitest";
import { creationLaws } from "./lineage-laws.ts";
import { mailboxLaws } from "./mailbox-laws.ts";
import { processLaws } from "./process-laws.ts";
import { statusLaws } from "./status-laws.ts";
import { onStores, type StoreKind } from "./stores.ts";

/** All rules, on stores of one kind. A new kind of store is a case in `stores.ts` and a file that calls this. */
export function lineageSuite(kind: StoreKind): void {
  onStores(kind, `lineage on ${kind}`, (use) => {
    describe("new runs", () => creationLaws(use));
    describe("runs and conversations", () => statusLaws(use));
    describe("processes", () => processLaws(use));
    describe("the mailbox", () => mailboxLaws(use));
  });
}
