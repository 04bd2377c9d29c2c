const host = /^(?:[A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_])?\.?|\[[0-9A-Fa-f:.]+\])$/;

/**
 * A host as all read it: lower case, addresses in their one form, no dot at the end. Undefined for what some would read
 * as another host. Names of other scripts come as `xn--`.
 */
export function canonicalHost(text: string): string | undefined {
  if (!host.test(text) || text.includes("..")) return undefined;
  const url = URL.parse(`http://${text}/`);
  const found = url?.hostname.replace(/\.$/, "");
  return found === undefined || found === "" ? undefined : withoutMapping(found);
}

/** The IPv4 address that an IPv6 one stands for: mapped, compatible, or behind the prefix of a translator. */
function withoutMapping(found: string): string {
  const [, high, low] = /^\[(?:::ffff:|::|64:ff9b::)([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/.exec(found) ?? [];
  if (high === undefined || low === undefined) return found;
  const [left, right] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return [left >> 8, left & 255, right >> 8, right & 255].join(".");
}

/** What a rule stands for: a domain with all below it, or an address alone. */
export const domainRule: typeof canonicalHost = canonicalHost;

/** The host of an `http`, `https`, `ws` or `wss` URL that all clients read alike; undefined for any other text. */
export function hostOf(url: string): string | undefined {
  const [, authority] = /^(?:https?|wss?):\/\/([^/?#\\@\s]+)(?:[/?#][^\s\p{Cc}]*)?$/iu.exec(url) ?? [];
  if (authority === undefined) return undefined;
  const [, name, port] = /^(.+?)(?::(\d{1,5}))?$/.exec(authority) ?? [];
  if (name === undefined || (port !== undefined && Number(port) > 65_535)) return undefined;
  return canonicalHost(name);
}

export const isAddress = (name: string): boolean => name.startsWith("[") || /^\d+(?:\.\d+){3}$/.test(name);
