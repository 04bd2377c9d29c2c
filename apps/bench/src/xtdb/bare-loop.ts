import { defined } from "@cm/object-model";
import { Pool } from "undici";

/** A loop without any library of ours: submit a prepared transaction, then wait for it. */
export class BareLoop {
  readonly #pool: Pool;

  constructor(url: string) {
    this.#pool = new Pool(url);
  }

  /** Milliseconds until the transaction was committed. */
  async commit(body: string): Promise<number> {
    const started = performance.now();
    const { txId } = await this.#ask("POST", "/_xtdb/submit-tx", body);
    const path = `/_xtdb/tx-committed?tx-id=${txId}&await-tx-id=${txId}&await-tx-timeout=10000`;
    const { "txCommitted?": committed } = await this.#ask("GET", path);
    const ms = performance.now() - started;
    if (committed !== true) throw new Error("The bare loop's transaction was not committed: its node is not fresh.");
    return ms;
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  async #ask(method: "GET" | "POST", path: string, body?: string): Promise<Record<string, unknown>> {
    const answer = await this.#pool.request({
      method,
      path,
      headers: { accept: "application/json", "content-type": "application/edn" },
      ...defined({ body }),
    });
    const text = await answer.body.text();
    if (answer.statusCode > 202) throw new Error(`${path.split("?")[0]} answered ${answer.statusCode}.`);
    return JSON.parse(text) as Record<string, unknown>;
  }
}

/** All of a session's transactions, one after the other, on a connection of their own. */
export async function sentBare(url: string, bodies: readonly string[]): Promise<void> {
  const bare = new BareLoop(url);
  for (const body of bodies) await bare.commit(body);
  await bare.close();
}
