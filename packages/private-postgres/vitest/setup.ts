import type { TestProject } from "vitest/node";
import { sharedByRun } from "../../../tools/shared-by-run.ts";
import { findPostgres, startPrivatePostgres } from "../src/start-postgres.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** The URL of the server that all files of a run share. */
    sharedPostgresUrl?: string;
  }
}

/** A `globalSetup` for vitest: starts one Postgres for all projects of a run, where there is Postgres. */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (findPostgres() === undefined) return undefined;
  const start = () => startPrivatePostgres({ settings: ["max_connections=500"] });
  const { value: server, leave } = await sharedByRun("postgres", start, (started) => started.stop());
  project.provide("sharedPostgresUrl", server.url);
  return leave;
}
