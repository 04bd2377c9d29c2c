import { accessSync, constants } from "node:fs";
import { storeError } from "./errors.ts";
import { storeLimits } from "./limits.ts";

/** Where a store is. */
export interface StoreAddress {
  /** For the client. It may hold a password, so it is shown nowhere. */
  readonly connection: { readonly connectionString: string; readonly application_name: string };
  readonly schema: string;
  /** Host, port, database and namespace: what people may see. */
  readonly shown: string;
}

const advice = "write postgres://USER@HOST:PORT/DATABASE, with ?schema=NAME for a namespace";

/** As libpq has them, in the authority or as a parameter. The client `pg` would look for a host of such a name. */
const severalHosts =
  /^postgres(?:ql)?:\/\/(?:(?:[^/?#]*@)?[^/?#@]*,[^/?#@]*(?:[/?#]|$)|[^#]*[?&](?:host|port)=[^&#]*(?:,|%2c))/i;

/**
 * @param url `postgres://`; its parameter `schema` is ours, the others are the client's, such as `sslmode`
 * @throws CmError `store/unavailable`, without the address, which may hold a password
 */
export function addressOf(url: string, schema?: string): StoreAddress {
  if (typeof url === "string" && severalHosts.test(url)) {
    const one = "name the one that leads to the primary, such as a virtual IP's or HAProxy's";
    throw storeError("store/unavailable", `A Postgres address names one host; ${one}.`);
  }
  const parsed = typeof url === "string" ? URL.parse(url) : null;
  if (parsed === null || !/^postgres(ql)?:$/.test(parsed.protocol)) {
    throw storeError("store/unavailable", `The Postgres address cannot be read; ${advice}.`);
  }
  const named = checkSchema(schema ?? parsed.searchParams.get("schema") ?? "cm");
  parsed.searchParams.delete("schema");
  checkTls(parsed.searchParams);
  const shown = `postgres://${parsed.host}${parsed.pathname}${named === "cm" ? "" : ` (${named})`}`;
  return { connection: { connectionString: parsed.href, application_name: "cm" }, schema: named, shown };
}

/** TLS as Postgres' own clients have it: `require` asks for encryption alone, and with a CA for its signature, too. */
function checkTls(parameters: URLSearchParams): void {
  for (const name of ["sslrootcert", "sslcert", "sslkey"]) {
    const path = parameters.get(name);
    if (path !== null && !isReadable(path)) {
      throw storeError("store/unavailable", `The file that ${name} names cannot be read; check the path.`);
    }
  }
  const mode = parameters.get("sslmode");
  if (mode === "verify-ca" && !parameters.has("sslrootcert")) {
    throw storeError("store/unavailable", "sslmode=verify-ca needs a CA; name its file with sslrootcert.");
  }
  // The client's own reading takes `require` for `verify-full` and warns on stderr that it will not for long.
  if (mode !== null && !parameters.has("uselibpqcompat")) parameters.set("uselibpqcompat", "true");
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

/** A name that needs no quotes in SQL. @throws CmError `store/unavailable` */
function checkSchema(schema: string): string {
  const isName = /^[a-z_][a-z0-9_]*$/.test(schema) && !/^pg_|^information_schema$/.test(schema);
  if (isName && schema.length <= storeLimits.schemaCharsMax) return schema;
  throw storeError(
    "store/unavailable",
    `A namespace has up to ${storeLimits.schemaCharsMax} small letters, digits and underscores, no digit first.`,
  );
}
