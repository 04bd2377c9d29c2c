import { type IncomingHttpHeaders, request } from "node:http";

export interface Question {
  readonly path: string;
  readonly method?: string;
  /** Sent as they are: no Accept is added. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  readonly signal?: AbortSignal;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** One request on a connection of its own. Rejects when the answer breaks off. */
export function ask(url: string, { path, method = "GET", headers = {}, body, signal }: Question): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sized = body !== undefined && headers["transfer-encoding"] === undefined;
    const length: Record<string, string> = sized ? { "content-length": `${Buffer.byteLength(body)}` } : {};
    const options = { method, agent: false, headers: { ...length, ...headers }, ...(signal ? { signal } : {}) };
    const sent = request(new URL(path, url), options, (answer) => {
      const parts: Buffer[] = [];
      answer.on("data", (part: Buffer) => parts.push(part));
      answer.on("error", reject);
      answer.on("end", () => {
        const { statusCode = 0, headers: answered } = answer;
        resolve({ status: statusCode, headers: answered, body: Buffer.concat(parts).toString("utf8") });
      });
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

const encodings = { edn: "application/edn", json: "application/json", transit: "application/transit+json" } as const;

export type Encoding = keyof typeof encodings;

/** GET /_xtdb/PATH. */
export const get = (url: string, path: string, accept: Encoding = "json"): Promise<Answer> =>
  ask(url, { path: `/_xtdb/${path}`, headers: { accept: encodings[accept] } });

/** POST /_xtdb/PATH. */
export function post(
  url: string,
  path: string,
  body: string | Buffer,
  { send = "edn", accept = "json", signal }: { send?: Encoding; accept?: Encoding; signal?: AbortSignal } = {},
): Promise<Answer> {
  const headers = { accept: encodings[accept], "content-type": encodings[send] };
  return ask(url, { path: `/_xtdb/${path}`, method: "POST", headers, body, ...(signal ? { signal } : {}) });
}

/** Puts documents, given as EDN, and waits until they are indexed. */
export async function put(url: string, ...documents: readonly string[]): Promise<number> {
  const operations = documents.map((document) => `[:xtdb.api/put ${document}]`).join(" ");
  const submitted = await post(url, "submit-tx", `{:tx-ops [${operations}]}`);
  const { txId } = JSON.parse(submitted.body);
  await get(url, `await-tx?tx-id=${txId}&timeout=30000`);
  return txId;
}
