import { listedRules } from "./gitleaks.ts";
import { type Recall, type RecallTable, share, total } from "./recall.ts";

/** The measured recall as tables in Markdown: in all, by what stands around a secret, and by rule. */
export function recallTable({ secrets, rules, nameless, named }: RecallTable): string {
  const around = [...nameless].map(([name, recall]) => row(["nothing that names it", name, percent(recall)]));
  const behind = [...named].map(([name, recall]) => row(["a name", `\`${name}\``, percent(recall)]));
  const each = listedRules.map(({ id, name }) => {
    const of = rules.get(id);
    return row([id, name === undefined ? percent(of?.nameless) : "", percent(of?.named)]);
  });
  return [
    `${secrets.toLocaleString("en-US")} secrets of ${listedRules.length} rules, each in ${nameless.size} places without a name (where its`,
    `shape says enough) and in ${named.size} behind one: ${percent(total(nameless))} without a name, ${percent(total(named))} behind one.`,
    "",
    row(["around it", "place", "found"]),
    row(["---", "---", "---:"]),
    ...around,
    ...behind,
    "",
    row(["rule", "without a name", "behind a name"]),
    row(["---", "---:", "---:"]),
    ...each,
    "",
  ].join("\n");
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

function percent(recall: Recall | undefined): string {
  return recall === undefined ? "" : `${(100 * share(recall)).toFixed(1)} %`;
}
