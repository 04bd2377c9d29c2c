import { canonicalHost, hostOf, isAddress } from "../bundle/domain-rule.ts";
import type { CapabilityGrant } from "../bundle/policy-bundle.ts";
import type { DenialReason } from "./verdict.ts";

export type DomainRules = (url: string | undefined) => DenialReason | undefined;

/** Undefined where the grant has no rules for domains. */
export function domainRules({ allowedDomains, blockedDomains = [] }: CapabilityGrant): DomainRules | undefined {
  if (allowedDomains === undefined && blockedDomains.length === 0) return undefined;
  const allowed = allowedDomains && setOf(allowedDomains);
  const blocked = setOf(blockedDomains);
  return (url) => {
    if (url === undefined) return "scope_unknown";
    const host = hostOf(url);
    if (host === undefined) return "url_not_understood";
    if (isWithin(host, blocked)) return "domain_blocked";
    return allowed === undefined || isWithin(host, allowed) ? undefined : "domain_not_allowed";
  };
}

const setOf = (domains: readonly string[]): ReadonlySet<string> =>
  new Set(domains.flatMap((domain) => canonicalHost(domain) ?? []));

/** A domain covers all below it; an address covers itself. */
function isWithin(host: string, domains: ReadonlySet<string>): boolean {
  if (domains.has(host)) return true;
  if (isAddress(host)) return false;
  for (let dot = host.indexOf("."); dot >= 0; dot = host.indexOf(".", dot + 1)) {
    if (domains.has(host.slice(dot + 1))) return true;
  }
  return false;
}
