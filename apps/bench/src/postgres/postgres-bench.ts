import { startPrivatePostgres } from "@cm/private-postgres";
import type { Figure } from "../figure.ts";
import { listBench } from "./list-bench.ts";
import { searchBench } from "./search-bench.ts";
import { sizeBench } from "./size-bench.ts";
import { stepBesideBare } from "./step-beside-bare.ts";
import { stepRates } from "./step-rates.ts";

/** `store-postgres` on a Postgres that waits for the disk at every commit. */
export async function postgresBench(): Promise<readonly Figure[]> {
  const settings = ["max_connections=200", "shared_buffers=256MB"];
  const server = await startPrivatePostgres({ durable: true, settings });
  try {
    return [
      await stepBesideBare(server),
      ...(await stepRates(server)),
      ...(await listBench(server)),
      ...(await sizeBench(server)),
      ...(await searchBench(server)),
    ];
  } finally {
    await server.stop();
  }
}
