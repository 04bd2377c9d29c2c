import { connectXtdb } from "../../src/index.ts";

/** Asks for the status of the node at the URL it is given and ends without closing its client. */
const client = connectXtdb({ urls: process.argv[2] ?? "" });
console.log((await client.status()).version);
