import type { Random } from "@cm/testkit";

/**
 * A secret that was never in use, put together when the test runs: no file of the repository holds one, so scanners
 * stay quiet. `canary` is what must not be found afterwards.
 */
export interface PlantedSecret {
  readonly kind: string;
  /** The name that it is assigned to; kinds without a shape of their own are known by it. */
  readonly key: string;
  readonly value: string;
  readonly canary: string;
}

const lower = "abcdefghijklmnopqrstuvwxyz";
const upper = lower.toUpperCase();
const digits = "0123456789";
const alphanumeric = lower + upper + digits;
const hexadecimal = `${digits}abcdef`;
const urlSafe = `${alphanumeric}-_`;
const base32 = `${upper}234567`;

type Make = (random: Random) => string;

const from = (alphabet: string, count: number): Make => {
  return (random) => Array.from({ length: count }, () => random.pick([...alphabet])).join("");
};
/** Parts that stand together nowhere in the sources. */
const joined = (...parts: readonly (string | Make)[]): Make => {
  return (random) => parts.map((part) => (typeof part === "string" ? part : part(random))).join("");
};
const base64 = (bytes: number): Make => {
  return (random) => Buffer.from(Array.from({ length: bytes }, () => random.below(256))).toString("base64");
};

const byShape: Readonly<Record<string, Make>> = {
  "aws-access": joined("AK", "IA", from(base32, 16)),
  "aws-session": joined("AS", "IA", from(base32, 16)),
  "github-classic": joined("gh", "p_", from(alphanumeric, 36)),
  "github-oauth": joined("gh", "o_", from(alphanumeric, 36)),
  "github-app": joined("gh", "s_", from(alphanumeric, 36)),
  "github-fine": joined("github", "_pat_", from(alphanumeric, 22), "_", from(alphanumeric, 59)),
  gitlab: joined("glp", "at-", from(urlSafe, 20)),
  "slack-bot": joined("xo", "xb-", from(digits, 12), "-", from(digits, 13), "-", from(alphanumeric, 24)),
  "slack-webhook": joined(
    "https://hooks.sl",
    "ack.com/services/T",
    from(base32, 9),
    "/B",
    from(base32, 9),
    "/",
    from(alphanumeric, 24),
  ),
  "stripe-live": joined("sk_", "live_", from(alphanumeric, 24)),
  "stripe-restricted": joined("rk_", "live_", from(alphanumeric, 24)),
  openai: joined("sk", "-", from(alphanumeric, 48)),
  "openai-project": joined("sk-", "proj-", from(urlSafe, 74), "T3BlbkFJ", from(urlSafe, 74)),
  anthropic: joined("sk-", "ant-api03-", from(urlSafe, 93), "AA"),
  "google-api": joined("AI", "za", from(urlSafe, 35)),
  "google-client": joined("GOC", "SPX-", from(urlSafe, 28)),
  "google-access": joined("ya", "29.", from(urlSafe, 120)),
  npm: joined("np", "m_", from(alphanumeric, 36)),
  pypi: joined("py", "pi-AgEIcHlwaS5vcmc", from(urlSafe, 120)),
  huggingface: joined("h", "f_", from(alphanumeric, 34)),
  sendgrid: joined("S", "G.", from(urlSafe, 22), ".", from(urlSafe, 43)),
  twilio: joined("S", "K", from(hexadecimal, 32)),
  mailgun: joined("ke", "y-", from(hexadecimal, 32)),
  digitalocean: joined("dop", "_v1_", from(hexadecimal, 64)),
  databricks: joined("da", "pi", from(hexadecimal, 32)),
  telegram: joined("1", from(digits, 9), ":A", "A", from(urlSafe, 33)),
  "discord-bot": joined("M", from(alphanumeric, 23), ".", from(alphanumeric, 6), ".", from(urlSafe, 38)),
  "discord-webhook": joined("https://disc", "ord.com/api/webhooks/1", from(digits, 17), "/", from(urlSafe, 68)),
  shopify: joined("shp", "at_", from(hexadecimal, 32)),
  square: joined("sq0", "atp-", from(urlSafe, 22)),
  vault: joined("hv", "s.", from(urlSafe, 90)),
  terraform: joined(from(alphanumeric, 14), ".atlas", "v1.", from(urlSafe, 67)),
  docker: joined("dckr", "_pat_", from(urlSafe, 27)),
  grafana: joined("gl", "sa_", from(alphanumeric, 32), "_", from(hexadecimal, 8)),
  linear: joined("lin", "_api_", from(alphanumeric, 40)),
  postman: joined("PM", "AK-", from(hexadecimal, 24), "-", from(hexadecimal, 34)),
  jwt: (random) => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const body = {
      sub: from(digits, 10)(random),
      name: from(lower, 8)(random),
      iat: 1_700_000_000 + random.below(1e6),
    };
    return `${part({ alg: "HS256", typ: "JWT" })}.${part(body)}.${from(urlSafe, 43)(random)}`;
  },
};

const uuid: Make = (random) => [8, 4, 4, 4, 12].map((chars) => from(hexadecimal, chars)(random)).join("-");
const base36 = lower + digits;

/** Of services that other lists of rules do not have. */
const byServiceShape: Readonly<Record<string, Make>> = {
  "azure-models": joined(from(alphanumeric, 52), "JQQ", "J99", from(alphanumeric, 26)),
  "azure-devops": joined(from(alphanumeric, 76), "JQQ", "J99", from(alphanumeric, 26)),
  bitwarden: joined("0.", uuid, ".", from(alphanumeric, 30), ":", from(alphanumeric, 22), "=="),
  braintree: joined("access_token", "$production$", from(base36, 16), "$", from(hexadecimal, 32)),
  "brevo-smtp": joined("xsmtp", "sib-", from(hexadecimal, 64), "-", from(alphanumeric, 16)),
  browserbase: joined("bb_", "live_", from(urlSafe, 27)),
  context7: joined("ctx", "7sk-", uuid),
  coze: joined("pa", "t_", from(alphanumeric, 64)),
  daytona: joined("dt", "n_", from(hexadecimal, 64)),
  dropbox: joined("s", "l.", from(urlSafe, 135)),
  e2b: joined("e2", "b_", from(hexadecimal, 40)),
  elevenlabs: joined("s", "k_", from(hexadecimal, 48)),
  feishu: joined("https://open.feishu", ".cn/open-apis/bot/v2/hook/", uuid),
  firecrawl: joined("f", "c-", from(hexadecimal, 32)),
  fireworks: joined("f", "w_4Rz", from(alphanumeric, 19)),
  flyio: joined("fm", "2_lJPECAAAAAAA", from(`${alphanumeric}+/`, 300)),
  "google-models": joined("A", "Q.Ab8RN6", from(urlSafe, 44)),
  hubspot: joined("pa", "t-na1-", uuid),
  "huggingface-org": joined("api", "_org_", from(alphanumeric, 34)),
  inngest: joined("sign", "key-prod-", from(hexadecimal, 64)),
  k3s: joined("K1", "0", from(hexadecimal, 64), "::server:", from(hexadecimal, 32)),
  langfuse: joined("sk-", "lf-", uuid),
  mercadopago: joined(
    "APP",
    "_USR-",
    from(digits, 16),
    "-",
    from(digits, 6),
    "-",
    from(hexadecimal, 32),
    "-",
    from(digits, 9),
  ),
  minimax: joined("sk-", "cp-", from(urlSafe, 80)),
  mollie: joined("li", "ve_", from(alphanumeric, 30)),
  moonshot: joined("sk-", "kimi-", from(alphanumeric, 64)),
  "notion-old": joined("sec", "ret_", from(alphanumeric, 43)),
  paddle: joined("pdl", "_live_apikey_", from(base36, 26), "_", from(alphanumeric, 22), "_", from(alphanumeric, 3)),
  polar: joined("polar", "_oat_", from(alphanumeric, 43)),
  salesforce: joined("00", "D", from(alphanumeric, 12), "!AQ", from(alphanumeric, 90)),
  trigger: joined("tr", "_prod_", from(alphanumeric, 20)),
  voyage: joined("p", "a-4Rz", from(urlSafe, 40)),
  wandb: joined("wan", "db_v1_", from(alphanumeric, 77)),
  zapier: joined("https://hooks.zap", "ier.com/hooks/catch/1", from(digits, 6), "/", from(base36, 7), "/"),
  "jwt-encrypted": (random) => {
    const head = Buffer.from(JSON.stringify({ alg: "RSA-OAEP-256", enc: "A256GCM" })).toString("base64url");
    return [head, ...[342, 16, 200, 22].map((chars) => from(urlSafe, chars)(random))].join(".");
  },
};

/** Nothing in the value tells what it is: the key's name does. */
const byName: Readonly<Record<string, { readonly key: string; readonly make: Make }>> = {
  "aws-by-name": { key: "aws_secret_access_key", make: from(`${alphanumeric}/+`, 40) },
  "azure-account": { key: "AccountKey", make: base64(64) },
  "named-password": { key: "DB_PASSWORD", make: joined(from(alphanumeric, 8), from("#$!%", 1), from(alphanumeric, 8)) },
  "named-token": { key: "ACCESS_TOKEN", make: from(hexadecimal, 40) },
  "named-api-key": { key: "apiKey", make: from(alphanumeric, 32) },
  "named-client": { key: "client_secret", make: from(urlSafe, 40) },
  cloudflare: { key: "CLOUDFLARE_API_TOKEN", make: from(urlSafe, 40) },
  bearer: { key: "Authorization", make: joined("Bearer ", from(alphanumeric, 40)) },
  basic: {
    key: "Authorization",
    make: (random) => `Basic ${Buffer.from(`ada:${from(alphanumeric, 14)(random)}`).toString("base64")}`,
  },
};

const addresses: Readonly<Record<string, string>> = {
  postgres: "postgres://ada:CANARY@db.local:5432/app",
  mongodb: "mongodb+srv://ada:CANARY@cluster0.local/app",
  redis: "redis://:CANARY@cache.local:6379/0",
  https: "https://ada:CANARY@git.local/ada/repo.git",
};

const signed = (random: Random): string =>
  `https://store.blob.local/c/f?sv=2022-11-02&se=2027&sr=b&sp=r&sig=${encodeURIComponent(base64(32)(random))}`;

export const plantedKinds: readonly string[] = [
  ...Object.keys(byShape),
  ...Object.keys(byServiceShape),
  ...Object.keys(byName),
  ...Object.keys(addresses).map((scheme) => `login-${scheme}`),
  "signature",
  "pem",
  "pem-in-one-line",
];

/** As many as asked for, the kinds taking turns. */
export function plantedSecrets(count: number, random: Random): readonly PlantedSecret[] {
  return Array.from({ length: count }, (_, n) => planted(plantedKinds[n % plantedKinds.length] as string, random));
}

function planted(kind: string, random: Random): PlantedSecret {
  const shaped = byShape[kind] ?? byServiceShape[kind];
  if (shaped !== undefined) {
    const value = shaped(random);
    return { kind, key: "value", value, canary: value };
  }
  const named = byName[kind];
  if (named !== undefined) {
    const value = named.make(random);
    return { kind, key: named.key, value, canary: value.replace(/^(?:Bearer|Basic) /, "") };
  }
  const address = addresses[kind.replace("login-", "")];
  if (address !== undefined) {
    const canary = from(alphanumeric, 14)(random);
    return { kind, key: "url", value: address.replace("CANARY", canary), canary };
  }
  if (kind === "signature") {
    const value = signed(random);
    return { kind, key: "url", value, canary: value.slice(value.indexOf("sig=") + 4) };
  }
  const line = from(`${alphanumeric}+/`, 64);
  const body = [line(random), line(random), from(alphanumeric, 40)(random)];
  const lines = [`-----BEGIN ${"PRIV"}ATE KEY-----`, ...body, `-----END ${"PRIV"}ATE KEY-----`];
  return { kind, key: "key_file", value: lines.join(kind === "pem" ? "\n" : "\\n"), canary: body[1] as string };
}
