import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { withXtdb } from "@cm/xtdb-node/vitest";
import { describe } from "vitest";
import { inFolder } from "./command.ts";
import type { SharedStore, StoreKind } from "./open-shared.ts";

/** Tests on a store of one kind. `use` hands out a new, empty one, and takes it away after the work. */
export function withSharedStore(
  kind: StoreKind,
  title: string,
  tests: (use: (work: (shared: SharedStore) => Promise<void>) => Promise<void>) => void,
): void {
  if (kind === "SQLite") {
    describe(title, () => tests((work) => inFolder((folder) => work({ kind, where: join(folder, "shared.sqlite") }))));
    return;
  }
  withXtdb(title, ({ urls: [url] }) => tests((work) => work({ kind, where: `${url} test-${randomUUID()}` })));
}
