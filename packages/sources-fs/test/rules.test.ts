// @module-tag process
// Verifies: SSOT 5.10, T6 (which files are never opened), T16
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type IgnoreOptions, ignoreRules } from "@cm/sources-fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

let root = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "cm-rules-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(path: string, text = ""): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

function ignored(path: string, options: Partial<IgnoreOptions> = {}): string | undefined {
  return ignoreRules({ roots: [root], ...options }).ignored(join(root, path));
}

describe("files of secrets", () => {
  it.each([
    ".env",
    ".env.production",
    "prod.env",
    ".envrc",
    "id_rsa",
    "keys/id_ed25519",
    "keys/id_rsa.old",
    "tls/server.key",
    "tls/server.pem",
    "app.p12",
    "app.pfx",
    "release.jks",
    "release.keystore",
    "my.kdbx",
    ".netrc",
    ".pgpass",
    ".npmrc",
    ".pypirc",
    ".git-credentials",
    ".aws/credentials",
    ".ssh/config",
    ".gnupg/pubring.kbx",
    ".docker/config.json",
    ".kube/config",
    "service-account.json",
    "service_account_prod.json",
    "client_secret_12.apps.json",
    "credentials.json",
    "config/secrets.yml",
    "config/SECRETS.YAML",
    ".config/gh/hosts.yml",
  ])("are not opened: %s", (path) => {
    expect(ignored(path)).toMatch(/^secret-file \S+$/);
  });

  it.each([
    ".env.example",
    ".env.sample",
    ".env.template",
    "example.env",
    "id_rsa.pub",
    "keys/id_ed25519.pub",
    "tls/server.crt",
    "tls/ca.cert",
    "src/environment.ts",
    "src/env.ts",
    "config.json",
    "config",
    "hosts.yml",
    "credentials.ts",
    "secrets.md",
    "src/secrets/index.ts",
    "key.ts",
    "keystore/index.ts",
    "shadow",
    "docker/config.json",
    "package.json",
    ".npmignore",
    "auth.ts",
    "prod.tf",
    "variables.tf",
    "prod.tfvars.example",
    "appsettings.json",
    "application.properties",
    "history.md",
    "src/history/index.ts",
    "database.ts",
    "token.ts",
    "secret.ts",
    "vault/index.js",
  ])("are not taken for: %s", (path) => {
    expect(ignored(path)).toBeUndefined();
  });

  it("are opened where the rules are switched off or the user opens them by name, never because a repository says so", () => {
    write(".gitignore", "!.env\n!.ssh/\n");

    expect(ignored(".env")).toBe("secret-file .env*");
    expect(ignored(".env", { secretFiles: false })).toBeUndefined();
    expect(ignored(".env", { rules: ["!.env"] })).toBeUndefined();
    expect(ignored(".ssh/config", { rules: ["!.ssh/"] })).toBeUndefined();
    expect(ignored(".ssh/id_rsa", { rules: ["!.ssh/"] })).toBe("secret-file id_*");
  });

  it.each([
    ["auth.json", "auth.json"],
    ["home/.pi/agent/auth.json", "auth.json"],
    ["terraform.tfstate", "terraform.tfstate"],
    ["infra/prod.tfvars", "*.tfvars"],
    ["infra/prod.tfvars.json", "*.tfvars.json"],
    ["state/terraform.tfstate.backup", "*.tfstate.backup"],
    ["k8s/secret.yaml", "secret.yaml"],
    ["kubeconfig", "kubeconfig"],
    ["prod.kubeconfig", "*.kubeconfig"],
    [".bash_history", ".bash_history"],
    [".psql_history", ".psql_history"],
    ["fish_history", "fish_history"],
    ["app-firebase-adminsdk-x1-2b.json", "*firebase-adminsdk*.json"],
    ["appsettings.Production.json", "appsettings.Production.json"],
    ["src/main/resources/application-prod.properties", "application-prod.*"],
    [".kube/config", ".kube/config"],
    [".m2/settings.xml", ".m2/settings.xml"],
    ["AUTH.JSON", "auth.json"],
    [".dev.vars", ".dev.vars*"],
    ["worker/.dev.vars.production", ".dev.vars*"],
    ["kubeconfig-prod", "kubeconfig-*"],
    ["prod-kubeconfig.yaml", "kubeconfig-*"],
    ["chart/secrets.prod.yaml", "secrets.prod.*"],
    ["chart/secrets-dev.yml", "secrets.prod.*"],
    ["chart/prod.secrets.yaml", "prod.secrets.*"],
    ["keystore/UTC--2026-01-02T03-04-05.6Z--ab12", "UTC--*"],
    ["wg0.conf", "wg*.conf"],
    ["login.keyring", "*.keyring"],
    ["login.keychain-db", "*.keychain-db"],
    ["office.nmconnection", "*.nmconnection"],
    [".azure/msal_token_cache.bin", ".azure/msal_token_cache.bin"],
    [".config/hub", ".config/hub"],
    ["github-copilot/apps.json", "github-copilot/apps.json"],
    [".snowsql/config", ".snowsql/config"],
    [".snowflake/connections.toml", ".snowflake/connections.toml"],
    [".dbt/profiles.yml", ".dbt/profiles.yml"],
    [".cache/huggingface/token", "huggingface/token"],
    [".huggingface/token", ".huggingface/token"],
    ["sops/age/keys.txt", "age/keys.txt"],
    [".twilio-cli/config.json", ".twilio-cli/config.json"],
    [".circleci/cli.yml", ".circleci/cli.yml"],
    [".supabase/access-token", ".supabase/access-token"],
    [".railway/config.json", ".railway/config.json"],
    [".netlify/config.json", ".netlify/config.json"],
    [".expo/state.json", ".expo/state.json"],
    [".vscode/sftp.json", ".vscode/sftp.json"],
    ["solana/id.json", "solana/id.json"],
    ["nushell/history.txt", "nushell/history.txt"],
    ["pgcli/history", "pgcli/history"],
  ])("say which rule closes them: %s", (path, rule) => {
    expect(ignored(path)).toBe(`secret-file ${rule}`);
  });

  it.each(
    (
      "token.json .secrets passwords.txt wp-config.php database.yml local.settings.json secring.gpg .zsh_history " +
      "ansible-vault.yml env.sh .credentials.json rclone.conf .mysql_history tokens.json .vault_pass " +
      "oauth_creds.json credentials.tfrc.json kaggle.json firebase-tools.json ngrok.yml .sentryclirc .pg_service.conf " +
      ".mbsyncrc .offlineimaprc .ftpconfig .erlang.cookie wpa_supplicant.conf api_key.txt token.txt .secrets.toml " +
      "keystore.properties key.properties signing.properties .cqlsh_history .duckdb_history .influx_history " +
      ".usql_history .mycli-history .snowsql_history .lesshst .viminfo"
    ).split(" "),
  )("are closed by name: %s", (path) => {
    expect(ignored(path)).toBe(`secret-file ${path}`);
  });

  it("are opened by the option for it, which opens nothing that another rule closes", () => {
    write(".gitignore", "auth.json\n");
    const options = { openSecretFiles: ["*.tfvars", "config/secret.yaml", "auth.json"] };

    expect(ignored("infra/prod.tfvars", options)).toBeUndefined();
    expect(ignored("config/secret.yaml", options)).toBeUndefined();
    expect(ignored("other/secret.yaml", options)).toBe("secret-file secret.yaml");
    expect(ignored("auth.json", options)).toBe("gitignore");
    expect(ignored("home/.netrc", { openSecretFiles: ["home/"] })).toBe("secret-file .netrc");
    expect(ignored(".git/config", { openSecretFiles: ["*"] })).toBe("git-folder");
  });
});

describe("ignore rules", () => {
  it("say which kind of rule it was", () => {
    write(".gitignore", "*.log\n");
    write("sub/.gitignore", "!keep.log\nbuild/\n");
    const rules = ignoreRules({ roots: [root], rules: ["tmp/", "!*.tmp.log"] });

    expect(rules.ignored(join(root, ".git/config"))).toBe("git-folder");
    expect(rules.ignored(join(root, "sub/.git"), true)).toBe("git-folder");
    expect(rules.ignored(join(root, "a.log"))).toBe("gitignore");
    expect(rules.ignored(join(root, "sub/keep.log"))).toBeUndefined();
    expect(rules.ignored(join(root, "sub/build/deep/x.ts"))).toBe("gitignore");
    expect(rules.ignored(join(root, "sub/build"), true)).toBe("gitignore");
    expect(rules.ignored(join(root, "sub/build"))).toBeUndefined();
    expect(rules.ignored(join(root, "sub/tmp/x.ts"))).toBe("user-rule");
    expect(rules.ignored(join(root, "b.tmp.log"))).toBeUndefined();
    expect(rules.ignored(root, true)).toBeUndefined();
  });

  it("open nothing inside a folder that stays closed, and everything else once the folder is opened", () => {
    write(".gitignore", "build/\n");

    expect(ignored("build/x.ts", { rules: ["!x.ts"] })).toBe("gitignore");
    expect(ignored("build/x.ts", { rules: ["!build/"] })).toBeUndefined();
  });

  it("come from the top of the work tree that encloses the root, which is open itself", () => {
    execFileSync("git", ["init", "-q", root]);
    write(".gitignore", "*.log\nout/\n");
    write(".git/info/exclude", "local.txt\n");
    const rules = ignoreRules({ roots: [join(root, "out/app")] });

    expect(rules.ignored(join(root, "out/app/a.log"))).toBe("gitignore");
    expect(rules.ignored(join(root, "out/app/local.txt"))).toBe("gitignore");
    expect(rules.ignored(join(root, "out/app/main.ts"))).toBeUndefined();
    expect(rules.ignored(join(root, "out/app/out/main.ts"))).toBe("gitignore");
    expect(rules.ignored(join(root, "a.log"))).toBeUndefined();
  });

  it("stop at a repository inside another one, which has rules of its own", () => {
    execFileSync("git", ["init", "-q", root]);
    execFileSync("git", ["init", "-q", join(root, "inner")]);
    write(".gitignore", "*.log\n");
    write("inner/.gitignore", "*.tmp\n");

    expect(ignored("inner/a.log")).toBeUndefined();
    expect(ignored("inner/a.tmp")).toBe("gitignore");
  });

  it("see the exclude file of a linked work tree", () => {
    const main = join(root, "main");
    const git = (...args: readonly string[]) => execFileSync("git", ["-C", main, ...args], { stdio: "ignore" });
    execFileSync("git", ["init", "-q", main]);
    git("-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-q", "--allow-empty", "-m", "first");
    git("worktree", "add", "-q", join(root, "linked"));
    write("main/.git/info/exclude", "local.txt\n");

    expect(ignoreRules({ roots: [join(root, "linked")] }).ignored(join(root, "linked/local.txt"))).toBe("gitignore");
  });

  it("are read again when a rule file has changed, came or went", () => {
    let now = 0;
    const rules = ignoreRules({ roots: [root] }, () => now);
    const check = () => {
      now += 1_000;
      return [rules.ignored(join(root, "a/b/x.log")), rules.ignored(join(root, "a/b/x.tmp"))];
    };

    write("a/b/other", "");
    expect(check()).toEqual([undefined, undefined]);
    write(".gitignore", "*.log\n");
    expect(check()).toEqual(["gitignore", undefined]);
    write("a/.gitignore", "*.tmp\n");
    expect(check()).toEqual(["gitignore", "gitignore"]);
    write(".gitignore", "*.txt\n");
    utimesSync(join(root, ".gitignore"), 1, 1);
    expect(check()).toEqual([undefined, "gitignore"]);
    rmSync(join(root, "a/.gitignore"));
    expect(check()).toEqual([undefined, undefined]);
  });

  it("do not follow a link to rules, nor open a pipe that bears their name", () => {
    write("elsewhere", "*.ts\n");
    symlinkSync(join(root, "elsewhere"), join(root, ".gitignore"));
    mkdirSync(join(root, "sub"));
    spawnSync("mkfifo", [join(root, "sub/.gitignore")]);

    expect(ignored("main.ts")).toBeUndefined();
    expect(ignored("sub/main.ts")).toBeUndefined();
  });

  it("close a folder whose rules cannot be known", () => {
    write("sub/.gitignore", `${"x".repeat(1024 * 1024)}\n`);

    expect(ignored("sub/main.ts")).toBe("unusable-rules");
    expect(ignored("sub/deeper/main.ts")).toBe("unusable-rules");
    expect(ignored("main.ts")).toBeUndefined();
  });

  it("close what lies too deep or has too long a name", () => {
    expect(ignored(`${"a/".repeat(300)}x`)).toBe("too-deep");
    expect(ignored("x".repeat(5_000))).toBe("too-deep");
  });

  it("take paths that are not normal for what they mean", () => {
    write(".gitignore", "build/\n");
    const rules = ignoreRules({ roots: [`${root}/`] });

    expect(rules.ignored(`${root}//src/../build/./x.ts`)).toBe("gitignore");
    expect(rules.ignored(`${root}/build/`, true)).toBe("gitignore");
    expect(rules.ignored(`${root}/../elsewhere/.env`)).toBeUndefined();
    expect(rules.ignored(`${root}-other/.env`)).toBeUndefined();
  });

  it("answer for thousands of files under hostile rules, whatever they repeat", () => {
    const stars = ["**/".repeat(40), "a/**/".repeat(40), "*a".repeat(400), "a*/".repeat(60), "[a-z]*".repeat(200)];
    write(".gitignore", stars.map((pattern) => `${pattern}b`).join("\n"));
    const rules = ignoreRules({ roots: [root] });
    const deep = "a/".repeat(200);

    for (let n = 0; n < 500; n++) rules.ignored(join(root, `${deep}${"a".repeat(200)}${n}`));

    expect(rules.ignored(join(root, `${deep}b`))).toBe("gitignore");
  });
});
