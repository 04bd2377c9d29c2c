import type { ObjectStore } from "@cm/object-model";
import type { Governance } from "../governance/governance.ts";
import type { Runtime } from "../runs/runtime.ts";
import type { Access } from "./access.ts";
import type { Metrics } from "./metrics.ts";

/** What the routes are made of. */
export interface ServerState {
  readonly runtime: Runtime;
  readonly store: ObjectStore;
  readonly access: Access;
  readonly metrics: Metrics;
  readonly governance?: Governance | undefined;
  readonly version: string;
  /** True from the moment on in which it takes no new runs. */
  readonly isStopping: () => boolean;
  readonly heartbeatMs?: number | undefined;
  readonly log: (fields: Readonly<Record<string, unknown>>) => void;
}
