import { describe } from "vitest";
import { creationLaws } from "./lineage-laws.ts";
import { mailboxLaws } from "./mailbox-laws.ts";
import { processLaws } from "./process-laws.ts";
import { statusLaws } from "./status-laws.ts";
import type { OnStores } from "./stores.ts";

/** All rules, on stores of one kind. A new kind needs an `OnStores` and a test file that calls this. */
export function lineageSuite(title: string, onStores: OnStores): void {
  onStores(title, (use) => {
    describe("new runs", () => creationLaws(use));
    describe("runs and conversations", () => statusLaws(use));
    describe("processes", () => processLaws(use));
    describe("the mailbox", () => mailboxLaws(use));
  });
}
