import { CmError } from "@cm/object-model";

export interface PolicyPair {
  readonly before: string;
  readonly after: string;
}

type Named = readonly { readonly name: string }[];

/**
 * Policies of the same name, or the only one of either side.
 * @throws CmError `compare/different` where nothing tells which belong together
 */
export function policyPairs(
  before: Named,
  after: Named,
): { readonly pairs: readonly PolicyPair[]; readonly alone: readonly string[] } {
  const [was, is] = [namesOf(before), namesOf(after)];
  const shared = was.filter((name) => is.includes(name));
  if (shared.length > 0) {
    const alone = [...was, ...is].filter((name) => !shared.includes(name));
    return { pairs: shared.map((name) => ({ before: name, after: name })), alone };
  }
  const [[only], [other]] = [was, is];
  if (was.length === 1 && is.length === 1 && only !== undefined && other !== undefined)
    return { pairs: [{ before: only, after: other }], alone: [] };
  throw new CmError(
    "compare/different",
    `No policy is in both: ${was.join(", ")} against ${is.join(", ")}; give each side one, or the same ones.`,
  );
}

const namesOf = (policies: Named): readonly string[] => [...new Set(policies.map(({ name }) => name))];
