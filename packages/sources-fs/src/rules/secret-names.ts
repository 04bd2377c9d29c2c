/**
 * Names of files that hold credentials, or a copy of typed text or of a tool's input. Certificates and public keys are
 * not secrets, and program text of any name is left to redaction.
 */
export const secretNames: readonly string[] = [
  // Logins that tools keep.
  ".git-credentials .my.cnf .mylogin.cnf .netrc _netrc .authinfo .npmrc .pgpass pgpass.conf .pypirc .s3cfg .boto",
  ".passwd-s3fs .smbcredentials .msmtprc .fetchmailrc .dockercfg .dockerconfigjson .vault-token .terraformrc terraform.rc",
  ".databrickscfg .credentials .credentials.json credentials.json credentials.yml credentials.yaml credentials.xml",
  "auth.json token.json tokens.json token.pickle access_tokens.json oauth_token.json rclone.conf kubeconfig",
  "oauth_creds.json credentials.tfrc.json kaggle.json firebase-tools.json ngrok.yml .sentryclirc .pg_service.conf",
  ".mbsyncrc .offlineimaprc .ftpconfig .erlang.cookie .xauthority .iceauthority wpa_supplicant.conf",
  "kubeconfig.yaml kubeconfig.yml recentservers.xml sitemanager.xml logins.json key4.db cookies.txt cookies.sqlite",
  "chap-secrets pap-secrets ipsec.secrets users.acl sasl_passwd passwd.client .rediscli_auth .esmtprc",
  // Accounts of programs.
  "client_secret.json client_secrets.json service-account.json service_account.json serviceaccount.json",
  "application_default_credentials.json firebase-adminsdk.json",
  // Passwords and secrets by their name.
  ".secret .secrets secret.json secret.toml secret.yaml secret.yml secret.properties secrets.json secrets.toml",
  "secrets.yaml secrets.yml secrets.properties secrets.env passwords.txt passwords.csv passwords.json password.txt",
  "api_key.txt api_keys.txt apikey.txt token.txt .secrets.toml",
  "passwords.kdb .htpasswd htpasswd .htdigest shadow gshadow .vault_pass .vault_pass.txt .vault-password vault.yml",
  "vault.yaml ansible-vault.yml ansible-vault.yaml secring.gpg wallet.dat hudson.util.secret",
  // Settings of programs that have their passwords in them.
  "wp-config.php localsettings.php database.yml database.yaml local.settings.json env.sh terraform.tfstate",
  "keystore.properties key.properties signing.properties",
  // Histories of typed text, including passwords.
  ".bash_history .zsh_history .zhistory .sh_history .ksh_history .history fish_history .psql_history .mysql_history",
  ".mariadb_history .sqlite_history .rediscli_history .mongo_history .dbshell .mongosh_repl_history .python_history",
  ".node_repl_history .irb_history .pry_history .php_history .scala_history .clickhouse-client-history",
  "consolehost_history.txt .cqlsh_history cqlsh_history .duckdb_history .influx_history .usql_history .mycli-history",
  ".snowsql_history .lesshst .viminfo",
].flatMap((names) => names.split(" "));

/** Private keys and stores of them, and what Terraform is given and keeps. `.pem` may be a certificate, too. */
export const secretEndings: readonly string[] =
  "pem key p12 pfx jks keystore kdbx kdb ppk p8 pkcs12 ovpn asc-key keytab kubeconfig tfstate tfvars keyring keychain-db nmconnection".split(
    " ",
  );

/** Names that have something of their own in the middle. */
export const secretPatterns: readonly (readonly [rule: string, pattern: RegExp])[] = [
  ["*.tfstate.backup", /\.tfstate\.(?:\d{1,16}\.)?backup$/],
  ["*.tfvars.json", /\.tfvars\.json$/],
  [".dev.vars*", /^\.dev\.vars(?:\.[\w-]+)?$/],
  ["kubeconfig-*", /^kubeconfig[-_][\w-]+$|[-_]kubeconfig(?:\.ya?ml)?$/],
  [
    "secrets.prod.*",
    /^secrets?[._-](?:prod|production|staging|stage|dev|development|local|test|qa|uat|ci)\.(?:ya?ml|json|toml|properties)$/,
  ],
  [
    "prod.secrets.*",
    /^(?:prod|production|staging|stage|dev|development|local|test|qa|uat|ci)[._-]secrets?\.(?:ya?ml|json|toml|properties)$/,
  ],
  ["UTC--*", /^utc--\d{4}-\d\d-\d\dt/],
  ["wg*.conf", /^wg\d{1,3}\.conf$/],
  ["*firebase-adminsdk*.json", /firebase-adminsdk[\w-]*\.json$/],
  ["service-account*.json", /^(?:service[-_]?account|client_secret|gcp-key|gcloud-key)[\w.-]*\.json$/],
  ["appsettings.Production.json", /^appsettings\.(?:prod|production|staging|stage|secrets|local)\.json$/],
  ["application-prod.*", /^application-(?:prod|production|staging|stage|secrets?|local)\.(?:properties|ya?ml)$/],
];

/** Nothing below these folders is read, not even public parts, because they contain no source code. */
export const secretFolders: readonly string[] = [".ssh", ".gnupg", ".password-store"];

/** Names that say little alone: the folder decides. */
export const secretInFolders: Readonly<Record<string, string>> = {
  ".aws": "credentials",
  ".docker": "config.json",
  ".kube": "config",
  ".cargo": "credentials credentials.toml",
  ".gem": "credentials",
  ".azure": "accesstokens.json msal_token_cache.json msal_token_cache.bin service_principal_entries.json",
  gcloud: "credentials.db access_tokens.db legacy_credentials",
  gh: "hosts.yml",
  ".m2": "settings.xml settings-security.xml",
  ".gradle": "gradle.properties",
  ".oci": "config",
  ".mutt": "passwd passwords",
  ".vnc": "passwd",
  "glab-cli": "config.yml",
  doctl: "config.yaml",
  ".fly": "config.yml",
  ".config": "hub",
  "github-copilot": "apps.json hosts.json",
  ".snowsql": "config",
  ".snowflake": "config.toml connections.toml",
  ".dbt": "profiles.yml",
  huggingface: "token stored_tokens",
  ".huggingface": "token",
  age: "keys.txt",
  ".twilio-cli": "config.json",
  ".circleci": "cli.yml",
  ".supabase": "access-token",
  ".railway": "config.json",
  ".netlify": "config.json",
  ".expo": "state.json",
  ".vscode": "sftp.json",
  solana: "id.json",
  nushell: "history.txt history.sqlite3",
  pgcli: "history",
};
