import type { EdnOutput } from "./edn/values.ts";
import { envelope, txSchema } from "./envelopes.ts";
import type { LogEntry, TxLogOptions } from "./options.ts";
import type { Pages } from "./pages.ts";
import { checkTxId, parameters } from "./parameters.ts";
import { isDocument } from "./pull.ts";

/** The committed transactions, oldest first, up to what the node has indexed when the last page is read. */
export async function* transactionLog(options: TxLogOptions, pages: Pages): AsyncGenerator<LogEntry, void, undefined> {
  // -1, before the first of all, is what one below the lowest id comes to.
  let after = options.afterTxId === undefined || options.afterTxId === -1 ? undefined : checkTxId(options.afterTxId);
  let bytes = pages.bytes;
  for (;;) {
    const query = parameters(
      after === undefined ? undefined : `after-tx-id=${after}`,
      options.operations === true ? "with-ops%3F=true" : undefined,
    );
    const { values, whole } = await pages.read("tx-log", query, {}, bytes, options);
    for (const value of values) {
      const entry = logEntry(value);
      yield entry;
      after = entry.txId;
    }
    if (whole) return;
    // One transaction is larger than a page.
    if (values.length === 0) bytes = pages.more("tx-log", bytes);
  }
}

function logEntry(value: EdnOutput): LogEntry {
  const tx = envelope(txSchema, value, "tx-log");
  const operations = isDocument(value) ? value["xtdb.api/tx-ops"] : undefined;
  return Array.isArray(operations) ? { ...tx, operations } : tx;
}
