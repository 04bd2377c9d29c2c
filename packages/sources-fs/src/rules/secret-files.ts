/**
 * Files that hold nothing but credentials, by name. Chosen with care: certificates and public keys are not secrets,
 * and a file that only might hold one (settings, scripts, terraform variables) is left to redaction.
 */
const names = new Set([
  ".git-credentials",
  ".htpasswd",
  ".my.cnf",
  ".mylogin.cnf",
  ".netrc",
  "_netrc",
  ".npmrc",
  ".pgpass",
  "pgpass.conf",
  ".pypirc",
  ".s3cfg",
  ".boto",
  ".dockercfg",
  ".vault-token",
  ".terraformrc",
  "terraform.rc",
  "credentials.json",
  "client_secret.json",
  "client_secrets.json",
  "service-account.json",
  "service_account.json",
  "serviceaccount.json",
  "application_default_credentials.json",
  "secrets.json",
  "secrets.toml",
  "secrets.yaml",
  "secrets.yml",
  "htpasswd",
  "shadow",
  "gshadow",
]);

/** Private keys and stores of them. `.pem` may be a certificate, too; not reading one of those costs little. */
const endings = new Set([
  "pem",
  "key",
  "p12",
  "pfx",
  "jks",
  "keystore",
  "kdbx",
  "ppk",
  "p8",
  "pkcs12",
  "ovpn",
  "asc-key",
]);

/** Nothing below these is read, public parts included: they are not anybody's source code. */
const folders = new Set([".ssh", ".gnupg", ".password-store"]);

/** Names that say little alone: the folder decides. */
const inFolder = new Map<string, ReadonlySet<string>>([
  [".aws", new Set(["credentials"])],
  [".docker", new Set(["config.json"])],
  [".kube", new Set(["config"])],
  [".cargo", new Set(["credentials", "credentials.toml"])],
  [".gem", new Set(["credentials"])],
  [".azure", new Set(["accesstokens.json", "msal_token_cache.json", "service_principal_entries.json"])],
  ["gcloud", new Set(["credentials.db", "access_tokens.db", "legacy_credentials"])],
  ["gh", new Set(["hosts.yml"])],
]);

const sshKey = /^id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?(?:[.-][\w.-]*)?$/;
const environment = /^\.env(?:$|[.-])|^\.envrc$|[^.]\.env$/;
const harmlessEnvironment = /[.-](?:example|sample|template|dist|defaults?|schema|test-example)$/;
const harmlessEnvironmentFile = /(?:^|[.-])(?:example|sample|template)\.env$/;
const cloudKey = /^(?:service[-_]?account|client_secret|gcp-key|gcloud-key)[\w.-]*\.json$/;

/** Whether the built-in rules keep the entry `name` of the folder called `folder` from being opened. */
export function isSecretFile(name: string, folder: string, isFolder: boolean): boolean {
  const lower = name.toLowerCase();
  if (isFolder) return folders.has(lower);
  if (names.has(lower)) return !isPlainNameElsewhere(lower, folder);
  const dot = lower.lastIndexOf(".");
  if (dot >= 0 && endings.has(lower.slice(dot + 1))) return true;
  if (lower.startsWith("id_") && sshKey.test(lower)) return !lower.endsWith(".pub");
  if (lower.includes(".env") && environment.test(lower)) {
    return !harmlessEnvironment.test(lower) && !harmlessEnvironmentFile.test(lower);
  }
  if (lower.endsWith(".json") && cloudKey.test(lower)) return true;
  return inFolder.get(folder.toLowerCase())?.has(lower) ?? false;
}

/** `shadow` is a word like any other outside of /etc. */
function isPlainNameElsewhere(lower: string, folder: string): boolean {
  return (lower === "shadow" || lower === "gshadow") && folder !== "etc";
}
