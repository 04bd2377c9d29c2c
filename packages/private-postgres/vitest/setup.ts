import type { TestProject } from "vitest/node";
import { findPostgres, type PrivatePostgres, startPrivatePostgres } from "../src/start-postgres.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** The URL of the server that all files of a run share. */
    sharedPostgresUrl?: string;
  }
}

interface Shared {
  readonly server: Promise<PrivatePostgres>;
  users: number;
}

/** Every project of a run loads this file anew: what they share is kept by the process. */
const kept = globalThis as { cmSharedPostgres?: Shared };

/** A `globalSetup` for vitest: starts one Postgres for all projects of a run, where there is Postgres. */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (findPostgres() === undefined) return undefined;
  kept.cmSharedPostgres ??= { server: startPrivatePostgres({ settings: ["max_connections=500"] }), users: 0 };
  const shared = kept.cmSharedPostgres;
  shared.users += 1;
  project.provide("sharedPostgresUrl", (await shared.server).url);
  return async () => {
    shared.users -= 1;
    if (shared.users > 0) return;
    delete kept.cmSharedPostgres;
    await (await shared.server).stop();
  };
}
