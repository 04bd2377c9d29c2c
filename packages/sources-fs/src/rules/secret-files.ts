import { secretEndings, secretFolders, secretInFolders, secretNames, secretPatterns } from "./secret-names.ts";

const names = new Set(secretNames);
const endings = new Set(secretEndings);
const folders = new Set(secretFolders);
const inFolder = new Map(Object.entries(secretInFolders).map(([folder, held]) => [folder, new Set(held.split(" "))]));

const sshKey = /^id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?(?:[.-][\w.-]*)?$/;
const environment = /^\.env(?:$|[.-])|^\.envrc$|[^.]\.env$/;
const harmlessEnvironment = /[.-](?:example|sample|template|dist|defaults?|schema|test-example)$/;
const harmlessEnvironmentFile = /(?:^|[.-])(?:example|sample|template)\.env$/;

/**
 * The built-in rule that keeps the entry `name` of the folder called `folder` from being opened, as it would stand among
 * ignore rules (`*.tfvars`, `.kube/config`), or undefined. Letters count in either case.
 */
export function secretFileRule(name: string, folder: string, isFolder: boolean): string | undefined {
  const lower = name.toLowerCase();
  if (isFolder) return folders.has(lower) ? `${lower}/` : undefined;
  if (names.has(lower)) return isPlainNameElsewhere(lower, folder) ? undefined : lower;
  const dot = lower.lastIndexOf(".");
  if (dot >= 0 && endings.has(lower.slice(dot + 1))) return `*${lower.slice(dot)}`;
  if (lower.startsWith("id_") && sshKey.test(lower)) return lower.endsWith(".pub") ? undefined : "id_*";
  if (lower.includes(".env") && environment.test(lower)) {
    return harmlessEnvironment.test(lower) || harmlessEnvironmentFile.test(lower) ? undefined : ".env*";
  }
  const known = secretPatterns.find(([, pattern]) => pattern.test(lower));
  if (known !== undefined) return known[0];
  const place = folder.toLowerCase();
  return inFolder.get(place)?.has(lower) === true ? `${place}/${lower}` : undefined;
}

/** `shadow` is a word like any other outside of /etc. */
function isPlainNameElsewhere(lower: string, folder: string): boolean {
  return (lower === "shadow" || lower === "gshadow") && folder !== "etc";
}
