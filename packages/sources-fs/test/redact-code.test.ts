// Verifies: SSOT 5.10 (secrets in code, files of tools, addresses and prose)
import { describe, it } from "vitest";
import { base64Line, bcrypt, crypt, hex, login, long, pemEnd, token, uuid } from "./support/drawn-secrets.ts";
import { expectRedacted } from "./support/expect-redacted.ts";

const secrets: readonly (readonly [string, string, string])[] = [
  // Files of tools.
  ["docker", `{"auths":{"registry.local":{"auth":"${login}"}}}`, login],
  ["kubeconfig", `users:\n- name: ada\n  user:\n    client-key-data: ${long}\n`, long],
  ["netrc", `machine api.local\n  login ada\n  password ${token}\n`, token],
  ["netrc in one line", "machine api.local login ada password geheim42x", "geheim42x"],
  ["/etc/shadow", `root:${crypt}:19000:0:99999:7:::`, crypt],
  ["htpasswd", `ada:${bcrypt}\n`, bcrypt],
  ["a Secret of Kubernetes", `apiVersion: v1\nkind: Secret\ndata:\n  first: ${login}\n`, login],
  [
    "a Secret of Kubernetes in JSON",
    JSON.stringify({ data: { first: login }, kind: "Secret", type: "Opaque" }, null, 2),
    login,
  ],
  [
    "a private key of PuTTY",
    `PuTTY-User-Key-File-3: ssh-ed25519\nPrivate-Lines: 1\n${base64Line}\nPrivate-MAC: 0`,
    base64Line,
  ],
  ["the end of a private key", `${base64Line}\n${base64Line}\n${pemEnd}\n`, base64Line],
  ["the end of a private key in a string", `"${base64Line}\\n${base64Line}\\n${pemEnd}\\n"`, base64Line],
  [
    "a key in JSON",
    `{"kty":"EC","crv":"P-256","x":"${hex}","d":"${hex.slice(0, 20)}${token}"}`,
    `${hex.slice(0, 20)}${token}`,
  ],
  ["a symmetric key in JSON within JSON", JSON.stringify(`{"k":"${token}","kty":"oct"}`), token],
  // Prose.
  ["a password in prose", `the password is ${token} by the way`, token],
  ["a password that MySQL made", `A temporary password is generated for root@localhost: ${token}`, token],
  ["a key in prose", `please use the api key ${token} for it`, token],
  // Code.
  ["a default", `const key = process.env.BOT_TOKEN || '${token}';`, token],
  ["a default in Python", `token = os.getenv("BOT_TOKEN") or "${token}"`, token],
  ["Rust", `const API_TOKEN: &str = "${token}";`, token],
  ["a string in Rust", `let api_secret = String::from("${token}");`, token],
  ["bytes in Go", `jwtSecret := []byte(\`${token}\`)`, token],
  ["long quotes in Python", `connect(jwt_secret="""${token}""")`, token],
  ["a string in C#", `var clientSecret = @"${token}";`, token],
  ["a pointer in Go", `ApiKey: aws.String("${token}"),`, token],
  ["an array in C", `static const char api_key[] = "${token}";`, token],
  ["a constant in Python", `api_key: Final = "${token}"`, token],
  ["a symbol in Ruby", `set :api_token, "${token}"`, token],
  ["a builder", `builder.password("${token}").build();`, token],
  ["a bearer in Rust", `.bearer_auth("${token}")`, token],
  ["a login in Go", `req.SetBasicAuth("ada", "${token}")`, token],
  ["a login in Python", `get(url, auth=("ada", "${token}"))`, token],
  ["a login in Java", `getConnection("jdbc:mysql://db/shop", "ada", "${token}");`, token],
  ["Gradle", `storePassword '${token}'\nkeyPassword "${token}"`, token],
  ["a secret in SQL", `CREATE SECRET s (TYPE s3, KEY_ID 'a', SECRET '${token}');`, token],
  // Addresses.
  ["a driver in Go", `ada:${token}@tcp(db.local:3306)/shop`, token],
  ["Oracle", `jdbc:oracle:thin:scott/${token}@//ora:1521/XE`, token],
  ["a token as a name", `https://${token}:x-oauth-basic@git.local/a.git`, token],
  ["an old signature", `https://b.s3.local/k?Expires=1764300000&Signature=${token}aB3d%3D`, token],
  ["S3", `https://b.s3.local/k?X-Amz-Expires=60&X-Amz-Signature=${hex}${hex.slice(0, 24)}&x=1`, hex],
  ["Google", `https://s.local/b/k?X-Goog-Signature=${hex}${hex}`, hex],
  ["CloudFront", `https://d.local/k?Expires=1&Signature=${token}${token}__&Key-Pair-Id=K1`, token],
  ["a key in an address", `https://maps.local/js?key=${token}&v=3`, token],
  ["a code of a login", `https://a.local/callback?code=${token}${token}&state=x1`, token],
  ["a token with escapes as a name", `https://${token.slice(0, 12)}%2F${token}@git.local/a.git`, token],
  [
    "a long token with escapes",
    `https://ada:${"x%2F".repeat(40)}${long.replaceAll("/", "%2F")}@git.local/`,
    long.slice(-40),
  ],
  [
    "a name that was drawn with its password",
    `https://${hex.slice(0, 8)}:${hex.slice(8, 16)}@a.local/`,
    hex.slice(0, 8),
  ],
  ["a short signature", `https://a.local/c?sv=2022&sig=${token}`, token],
  ["a UUID as a login", `https://${uuid}@git.local/a.git`, uuid],
  // Calls without a name.
  ["jwt.sign", `jwt.sign({ id: 7 }, '${token}', { expiresIn: '1h' })`, token],
  ["JWT.encode", `JWT.encode(payload, '${token}', 'HS256')`, token],
  ["sign", `sign(payload, "${token}")`, token],
  ["SignedString", `tok.SignedString([]byte("${token}"))`, token],
  ["signWith", `.signWith("${token}")`, token],
  ["createHmac", `createHmac('sha256', '${token}')`, token],
  ["hmac.New", `hmac.New(sha256.New, []byte("${token}"))`, token],
  ["encrypt", `AES.encrypt(text, '${token}')`, token],
  ["createCipheriv", `createCipheriv('aes-256-gcm', '${token}', iv)`, token],
  ["pbkdf2", `pbkdf2Sync("${token}", salt, 1)`, token],
  ["Fernet", `Fernet(b'${token}')`, token],
  ["PDO", `new PDO('mysql:host=db', 'root', '${token}')`, token],
  ["mysqli", `mysqli_connect("db", "root", "${token}")`, token],
  ["new mysqli", `new mysqli("db", "root", "${token}")`, token],
  ["algoliasearch", `algoliasearch('APP', '${token}')`, token],
  ["login", `smtp.login("ada@a.local", "${token}")`, token],
  ["cookieParser", `app.use(cookieParser('${token}'))`, token],
  ["SecretStr", `SecretStr("${token}")`, token],
  ["a credential in C#", `new AzureKeyCredential("${token}")`, token],
  ["a symmetric key in C#", `new SymmetricSecurityKey(Encoding.UTF8.GetBytes("${token}"))`, token],
  ["a form in Playwright", `page.fill('input[name=password]', '${token}')`, token],
  ["a label in Playwright", `page.getByLabel('Password').fill('${token}')`, token],
  // Addresses and forms.
  ["a link to reset a password", `GET /password/reset/${hex}?email=a%40b.local HTTP/1.1`, hex],
  ["a link to log in", `https://a.local/magic/${token}\n`, token],
  ["a picture for a wireless net", `WIFI:T:WPA;S:Home;P:${token};;`, token],
  [
    "a password of mail in base64",
    `S: 334 UGFzc3dvcmQ6\nC: ${Buffer.from(token).toString("base64")}\n`,
    Buffer.from(token).toString("base64"),
  ],
  ["a wireless net of Windows", `    Security key           : Present\n    Key Content            : ${token}\n`, token],
];

describe("a secret", () => {
  it.each(secrets)("does not pass: %s", (_, text, secret) => {
    expectRedacted(text, secret);
  });
});
