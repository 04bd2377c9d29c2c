import type { EdnMap } from "./edn-text.ts";
import { nodeLimits } from "./limits.ts";
import { NodeError } from "./node-error.ts";

const advice = "write postgres://USER:PASSWORD@HOST:PORT/DATABASE";

/** Turns a Postgres address into the engine's connection pool. Parameters such as `?sslmode=require` are passed on. */
export function postgresPool(address: string): EdnMap {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  // The address itself is never quoted: it may hold a password.
  if (url === undefined || !/^postgres(ql)?:$/.test(url.protocol)) {
    throw new NodeError("node/invalid", `The Postgres address cannot be read; ${advice}.`);
  }
  const database = url.pathname.slice(1);
  if (url.hostname === "" || database === "" || database.includes("/")) {
    throw new NodeError("node/invalid", `The Postgres address needs a host and one database; ${advice}.`);
  }
  // The driver decodes the remaining encoded parts, which it reads as part of its own address.
  const parameters = [...url.searchParams].map(([name, value]) => {
    if (/^\w+$/.test(name)) return [`:${name}`, encodeURIComponent(value)] as const;
    throw new NodeError("node/invalid", "A parameter of the Postgres address has an unusual name; remove it.");
  });
  return {
    ":dialect": { ":xtdb/module": { symbol: "xtdb.jdbc.psql/->dialect" } },
    ":pool-opts": {
      ":maximumPoolSize": nodeLimits.postgresConnectionsMax,
      ":connectionTimeout": nodeLimits.postgresConnectionMs,
      ":username": url.username === "" ? undefined : decodeURIComponent(url.username),
      ":password": url.password === "" ? undefined : decodeURIComponent(url.password),
    },
    ":db-spec": {
      ":host": url.hostname,
      ":port": url.port === "" ? 5432 : Number(url.port),
      ":dbname": database,
      ...Object.fromEntries(parameters),
    },
  };
}
