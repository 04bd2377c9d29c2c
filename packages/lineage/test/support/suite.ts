import { describe } from "vitest";
import { creationLaws } from "./lineage-laws.ts";
import { listLaws } from "./list-laws.ts";
import { mailboxLaws } from "./mailbox-laws.ts";
import { processLaws } from "./process-laws.ts";
import { statusLaws } from "./status-laws.ts";
import type { OnStores } from "./stores.ts";

/** All rules, on stores of one kind. A new kind needs an `OnStores` and a test file that calls this or `serverSuite`. */
export function lineageSuite(title: string, onStores: OnStores): void {
  suite(title, onStores, true);
}

/**
 * For stores on a server: in a campaign all rules, else those that a kind of store can break, which are its lists, its claims and its
 * transactions of several objects. The others are shown in memory and on SQLite.
 */
export function serverSuite(title: string, onStores: OnStores): void {
  suite(title, onStores, process.env.CM_CAMPAIGN === "1");
}

function suite(title: string, onStores: OnStores, isWhole: boolean): void {
  onStores(title, (use) => {
    if (isWhole) {
      describe("new runs", () => creationLaws(use));
      describe("runs and conversations", () => statusLaws(use));
    }
    describe("lists", () => listLaws(use));
    describe("processes", () => processLaws(use));
    describe("the mailbox", () => mailboxLaws(use));
  });
}
