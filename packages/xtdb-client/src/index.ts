export type { Format } from "./answers.ts";
export type { CallOptions } from "./call.ts";
export { connectXtdb, type XtdbClient } from "./client.ts";
export { type Clojure, clojure, type Datalog, datalog } from "./datalog.ts";
export { EdnSyntaxError, readEdn } from "./edn/read.ts";
export {
  Double,
  double,
  EdnAtom,
  type EdnInput,
  type EdnOutput,
  EdnSymbol,
  Keyword,
  keyword,
  symbol,
  Tagged,
  uuid,
} from "./edn/values.ts";
export { writeEdn } from "./edn/write.ts";
export { isXtdbError, XtdbError, type XtdbErrorCode, type XtdbErrorData } from "./errors.ts";
export type { NodeHealth } from "./health.ts";
export { clientLimits } from "./limits.ts";
export {
  callFunction,
  type EntityId,
  evict,
  match,
  type Operation,
  put,
  putFunction,
  remove,
  type XtdbDocument,
} from "./operations.ts";
export type {
  At,
  Confirmed,
  EntityVersion,
  HistoriesOptions,
  HistoryEntry,
  HistoryOptions,
  LogEntry,
  NodeStatus,
  QueryOptions,
  Queued,
  ReadOptions,
  StoredDocument,
  SubmitOptions,
  TxLogOptions,
  XtdbOptions,
} from "./options.ts";
