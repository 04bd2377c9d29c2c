import { shownStore } from "@cm/store-place";
import { limits } from "../limits.ts";
import type { StoreChoice } from "../store/choose-store.ts";
import { type CheckLine, fail, ok } from "./check-line.ts";

/** Each address by itself: a client asked for all of them is content with the first that answers. */
export async function checkXtdb({
  urls,
  token,
}: Extract<StoreChoice, { kind: "xtdb" }>): Promise<readonly CheckLine[]> {
  const lines: CheckLine[] = [];
  for (const url of urls) lines.push(await checkServer(url, token));
  return lines;
}

async function checkServer(url: string, token: string | undefined): Promise<CheckLine> {
  const { connectXtdb, isXtdbError } = await import("@cm/xtdb-client");
  const shown = shownStore({ kind: "xtdb", urls: [url], namespace: "" });
  try {
    const client = connectXtdb({ urls: url, token, deadlineMs: limits.doctorWaitMs });
    try {
      const { version, ingesterFailed } = await client.status();
      if (ingesterFailed) {
        return fail(
          "xtdb",
          `XTDB ${version ?? ""} at ${shown} takes writes and applies none`,
          "It has to be started again where it runs; its log there says why.",
        );
      }
      return ok("xtdb", `XTDB ${version ?? "of an unknown version"} answers at ${shown}`);
    } finally {
      await client.close();
    }
  } catch (error) {
    if (!isXtdbError(error)) throw error;
    const next = "Check the URL, CM_XTDB_TOKEN, and whether XTDB runs there.";
    return fail("xtdb", `${shown}: ${error.message}`, next);
  }
}
