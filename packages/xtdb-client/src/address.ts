import { lookup as systemLookup } from "node:dns";
import { isIPv6, type LookupFunction } from "node:net";
import { XtdbError } from "./errors.ts";
import { clientLimits } from "./limits.ts";

/** The checked address of a node. */
export interface Address {
  readonly origin: string;
  /** Before `/_xtdb`: "" or "/prefix". */
  readonly basePath: string;
  /** A name that stands for this machine and must not lead elsewhere. */
  readonly mustBeLoopback: boolean;
}

/**
 * Checks a node's URL. Clear text goes to this machine only, unless it is allowed: to 127.0.0.0/8 and ::1 however they
 * are spelled, and to `localhost`. Every other name might resolve to anywhere.
 */
export function parseAddress(text: string, allowCleartext: boolean): Address {
  if (typeof text !== "string" || !URL.canParse(text)) invalid("is no URL");
  const url = new URL(text);
  if (url.protocol !== "http:" && url.protocol !== "https:") invalid("is neither http nor https");
  if (url.username !== "" || url.password !== "") invalid("holds credentials; use the token option");
  if (url.search !== "" || url.hash !== "") invalid("holds a query or fragment; leave it out");
  const loopback = isLoopback(url.hostname);
  if (url.protocol === "http:" && !loopback && !allowCleartext) {
    throw new XtdbError(
      "xtdb/cleartext",
      "A node's URL is http: and not on this machine. Use https:, a tunnel to 127.0.0.1, or allowCleartext: true.",
    );
  }
  return {
    origin: url.origin,
    basePath: url.pathname.replace(/\/+$/, "").replace(/\/_xtdb$/, ""),
    mustBeLoopback: url.protocol === "http:" && !allowCleartext && url.hostname === "localhost",
  };
}

/** At most `nodesMax`, in the order of preference, each once. */
export function parseAddresses(urls: string | readonly string[], allowCleartext: boolean): readonly Address[] {
  const list = typeof urls === "string" ? [urls] : urls;
  if (!Array.isArray(list) || list.length === 0 || list.length > clientLimits.nodesMax) {
    throw new XtdbError("xtdb/invalid", `urls names 1 to ${clientLimits.nodesMax} nodes.`);
  }
  const addresses = list.map((url: string) => parseAddress(url, allowCleartext));
  return [...new Map(addresses.map((address) => [address.origin + address.basePath, address])).values()];
}

/** As the URL parser spells hosts: IPv4 with dots whatever was written, IPv6 shortened and in brackets. */
function isLoopback(host: string): boolean {
  if (host === "localhost") return true;
  const address = host.replace(/^\[(.*)\]$/, "$1");
  return isLoopbackAddress(address);
}

/** 127.0.0.0/8, ::1, and the former written as IPv6. */
export function isLoopbackAddress(address: string): boolean {
  if (/^127(?:\.\d{1,3}){3}$/.test(address) || address === "::1") return true;
  return isIPv6(address) && /^::ffff:(?:7f[0-9a-f]{2}:[0-9a-f]{1,4}|127(?:\.\d{1,3}){3})$/i.test(address);
}

/** Resolves `localhost` and keeps only what is on this machine, so that a hosts file or resolver cannot lead away. */
export const loopbackLookup: LookupFunction = (hostname, options, callback) => {
  systemLookup(hostname, { ...options, all: true }, (error, addresses) => {
    const local = (addresses ?? []).filter(({ address }) => isLoopbackAddress(address));
    const [first] = local;
    if (error !== null || first === undefined) {
      callback(Object.assign(new Error("no loopback address"), { code: error?.code ?? "ENOTLOOPBACK" }), []);
    } else if (options.all) callback(null, local);
    else callback(null, first.address, first.family);
  });
};

function invalid(why: string): never {
  // The URL itself may hold a secret, so it is not shown.
  throw new XtdbError("xtdb/invalid", `A node's URL ${why}.`);
}
