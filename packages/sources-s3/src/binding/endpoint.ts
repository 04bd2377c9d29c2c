import { limits } from "../limits.ts";

/** Where the S3 of AWS itself answers, in the partition where a bucket's name is enough to find it. */
const amazon = /^s3(?:-fips)?(?:[.-](?:dualstack\.)?(?:external-1|accelerate|[a-z]{2}-[a-z]+-\d))?\.amazonaws\.com$/;

/**
 * An endpoint as its origin: scheme and host in lower case, no default port, no slash at the end. AWS itself has no
 * endpoint, since a bucket there is the same in every region: the answer is then `aws`. Undefined for what is no origin:
 * credentials, paths, queries, other schemes, a bucket in the host.
 */
export function normalEndpoint(text: string): { readonly origin: string } | "aws" | undefined {
  if (text.length > limits.endpointCharsMax || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (url.protocol !== "https:" && url.protocol !== "http:") return undefined;
  // An empty query or fragment leaves no trace in `search` and `hash`, only in the text.
  if (url.username + url.password !== "" || url.pathname !== "/" || /[?#@\s\\]/.test(text)) return undefined;
  const host = url.hostname.replace(/\.$/, "");
  if (host === "") return undefined;
  if (amazon.test(host)) return url.port === "" ? "aws" : undefined;
  if (/\.s3[.-][^/]*amazonaws\.com(?:\.cn)?$/.test(host)) return undefined;
  return { origin: `${url.protocol}//${host}${url.port === "" ? "" : `:${url.port}`}` };
}

/** Whether a request to this origin stays on this machine. Names other than `localhost` can lead anywhere. */
export function isLoopback(origin: string): boolean {
  const { hostname } = new URL(origin);
  return hostname === "localhost" || hostname === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}
