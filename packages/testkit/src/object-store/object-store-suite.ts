import type { ConformanceSuite } from "../suite.ts";
import { bases } from "./laws/bases.ts";
import { bounds } from "./laws/bounds.ts";
import { changes } from "./laws/changes.ts";
import { concurrency } from "./laws/concurrency.ts";
import { erase } from "./laws/erase.ts";
import { errors } from "./laws/errors.ts";
import { expectations } from "./laws/expectations.ts";
import { find } from "./laws/find.ts";
import { findPages } from "./laws/find-pages.ts";
import { findText } from "./laws/find-text.ts";
import { findWhere } from "./laws/find-where.ts";
import { history } from "./laws/history.ts";
import { hostile } from "./laws/hostile.ts";
import { reading } from "./laws/reading.ts";
import { requests } from "./laws/requests.ts";
import { transactionTime } from "./laws/transaction-time.ts";
import { validTime } from "./laws/valid-time.ts";
import { writing } from "./laws/writing.ts";
import { type StoreFactory, storeCase } from "./store-case.ts";

/** The law of "object-store/1". */
export const objectStoreSuite: ConformanceSuite<StoreFactory> = {
  contract: "object-store/1",
  cases: [
    ...reading,
    ...writing,
    ...expectations,
    ...requests,
    ...bases,
    ...validTime,
    ...transactionTime,
    ...history,
    ...find,
    ...findPages,
    ...findText,
    ...findWhere,
    ...erase,
    ...bounds,
    ...hostile,
    ...errors,
    ...concurrency,
    ...changes,
  ].map(storeCase),
};
