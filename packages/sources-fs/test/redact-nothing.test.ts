// Verifies: SSOT 5.10 (what stands where secrets do, and is none)
import { createRedactor } from "@cm/sources-fs";
import { describe, expect, it } from "vitest";
import { base64Line, hex, login, token, uuid } from "./support/drawn-secrets.ts";

const redact = createRedactor();

describe("no secret", () => {
  it.each([
    ["the next line of settings", "COOKIE_SECRET=YOUR_PASSWORD\nJWT_EXPIRES_IN=1d\n"],
    [
      "what GnuPG says of its secret keys",
      "sec   rsa4096/4069DFAE21BCA5B6 2021-03-04 [SC]\n      B30D47DBF91A611C5761CEB4BCCA06E668421AB2",
    ],
    ["a key to sign commits with", "[user]\n\tsigningkey = 4069DFAE21BCA5B6"],
    ["what only a cluster opens", `encryptedData:\n  password: AgBy3i4OJSWK${token}${token}${token}`],
    ["a commit of a folder", `$ git submodule status\n ${hex} vendor/secrets (v6.3.11)`],
    ["a container", '3095d2412f6c  vault  "/start.sh"  passwords\n31b7c9a2f4d0  postgres:15  "docker-entrypoint.s…"'],
    ["the versions of a secret", `"Name": "prod/password",\n"Stages": { "${uuid}": ["AWSCURRENT"] }`],
    [
      "a peer",
      "private key: (hidden)\n\npeer: Fp3i0PO+j8OomQqMlSYIhsxzKWx5OaV+/GkV8jDuuxE=\n  preshared key: (hidden)",
    ],
    ["the id of a row", "unique constraint (SHOP.PK_TOKEN) violated\nROWID AAAR3sAAEAAAACXAAA"],
    ["code with many signs", "password:this.form.getValue(a[0],X1)\nconst password=e?B1(t,n[2]):C3[r]||D4(o)"],
    ["hooks of React", 'from "./hooks/useGetTokenFromContextV2"'],
    ["the key of an assembly", '<assemblyIdentity name="Json" publicKeyToken="30ad4fe6b2a6aeed" />'],
    ["a UUID that names one", `{"tokenId":"${uuid}","secret_id":"${uuid}"}`],
    ["keys that open nothing", `cacheKey: "${token}"\npublicKey = "${token}"\nprimary_key=${token}\nmonkey: ${token}`],
    ["a key of React", `<li key="${token}">`],
    ["how tests went", "--- PASS: TestGetOrCreateSessionID_InvalidUUID2/x9K (0.00s)\nBYPASS=1"],
    ["a signature of a manual", "https://b.local/k?Expires=1472747804&Signature=1234567891011EXAMPLE"],
    ["patterns of an editor", 'syntax match muttrcSimplePat contained "!\\\\?[~][BbCcefHhIiLMstwxYy]"'],
    ["a user who types the password", "curl -u deploy-user2: https://a.local"],
    ["a folder", "PWD=/home/ada/projects/x9Kq2\nOLDPWD=/home/ada"],
    ["paths of members", "redact(['users[0].password', 'users[1].secretV2'])\nf('password', 'auth')"],
    [
      "commands with references",
      'curl -u "$USER:$TOKEN" x\nmysql -p"$PASS"\nsshpass -p $PW ssh x\ncurl -u user:password x',
    ],
    ["options of other commands", "mkdir -p a1/b2\ngrep -u a:b1c2d3\ncp -a x1y2z3 d\ntar -pxzf a1b2c3.tgz"],
    ["a cookie that says little", "Cookie: theme=dark; lang=en-US; _ga=GA1.2"],
    ["cookies in code", "const cookie = parseCookie(request.headers.cookie, sessionCookieNameV2);"],
    ["a map of Kubernetes", `kind: ConfigMap\ndata:\n  first: ${login}\n`],
    ["a reference to a Secret", "kind: Secret\nmetadata:\n  name: databasecredential\n  namespace: production1\n"],
    ["prices and shells", "$1 $2 $5.00 $600 $y $argon $a$b"],
    ["names beside values that are words", '{"name":"API_KEY","value":"development-server"}'],
    ["places in lists of pages", `{"nextPageToken":"${token}","syncToken":"${token}"}\nContinuationToken: ${token}`],
    ["names of libraries", "Version=4.0.0.0, PublicKeyToken=b77a5c561934e089"],
    ["a name of AWS's", "arn:aws:secretsmanager:eu-west-1:000479016869:secret:prod/db-3C8gmI"],
    ["keys that browsers have", `POSTHOG_KEY=phc_${token}\nSTRIPE_KEY=pk_live_${token}`],
    ["an address of Sentry", `https://${hex.slice(0, 32)}@o841275.ingest.sentry.io/8596744`],
    ["a public key in JSON", `{"kty":"EC","crv":"P-256","x":"${hex}","y":"${token}${token}"}`],
    ["calls and columns of words", 'page.password("correct-horse")\npassword    required\ntoken || "anonymous"'],
    ["a certificate's end", `${base64Line}\n-----END CERTIFICATE-----`],
    [
      "commands that print what is none",
      `$ git rev-parse token-branch\n${hex}\n$ sha256sum secret.txt\n${hex}\n$ kubectl get secret a -o jsonpath={.metadata.uid}\n${uuid}`,
    ],
    [
      "what was not found",
      "$ pass show mail\nError:not-in-store\n$ op read op://a/b\n$ vault kv get a\nNo-value-found",
    ],
    [
      "calls with words",
      'jwt.sign(payload, "RS256-private")\ncreateHmac("sha256", key).update("q7Rk2vXw9L")\nlogin("ada", "form")',
    ],
    [
      "what is signed",
      `sign("${token}", key)\nencrypt("${token}")\njwt.verify("${token}", key, { jwtid: "${token}" })`,
    ],
    [
      "heads of columns that say more",
      `token_type,user\n${token},ada\n| Password | Required |\n|---|---|\n| string | yes |`,
    ],
    [
      "names in other languages before words",
      "clave: valor\nGeheimnis: der Garten\nla contraseña es incorrecta\nsenha: sua_senha",
    ],
    ["keys of headers and of tables", `Sec-WebSocket-Key: ${token}\npartitionKey: "user#${uuid}"`],
    ["hashers and rules of passwords", 'PASSWORD_HASHERS = ["auth.hashers.Argon2PasswordHasher"]'],
    ["paths of members in lists", "slowRedact({ paths: ['user.password', 'data[0].secret'] })"],
    [
      "code that compares, names again and adds",
      "this.lastTokEnd===this.lastTokStart+1&&this.input\n{ importKey: importKey$1 }\nv2TokenUrl: v2TokenUrl,\no.key=r.C0.ESC+`[1;5A`",
    ],
    ["messages of errors about secrets", "raise ClientSecretsError('This OAuth 2.0 flow is unsupported: {0!r}')"],
    ["rows that name packages", `apt\tlibc\t2.36\napt\tpython3-token\t1\napt\tlibasound2t64:amd64\t1.2.14-1+deb13u1`],
    [
      "the names of other things near a secret's",
      `commit ${hex} broke the token\n"api_key_sha256": "${hex}"\nthe token of commit ${hex}\nkeyId=${token} secret`,
    ],
    ["words in a password's place", 'password: "your-password"\nsecret = "same-origin-1"\npassword: Uint8Array, salt'],
    ["a commit below a name", "c384b361 Remove the unused GITHUB_TOKEN\nc5f1794b Pass the key\n"],
    ["a curve", "@param userPrivateKey - 32-byte secp256k1 private key\n"],
    ["what is twice the same", "{ salt: encode('salt1234salt1234') }"],
    ["rows of SQL", `INSERT INTO a (id, password_hash, commit) VALUES (1, '${hex}', '${hex}');`],
    ["what something is identified by", 'a row is identified by "a1b2c3d4e5" and by a1b2c3d4'],
    ["numbers in a list of words", '{"vocab":{"password":7182,"pin":4410},"merges":[]}'],
    [
      "codes of other things",
      "user code: ABCD\nerror code: E1234567\nauth_code=authorization_code\ngrant_type=authorization_code&client_id=x",
    ],
    ["a code that is none", "error code: 480251\nexit code is 137001\npin count: 4096 pins\nPASS: 1024 of 2048"],
    [
      "prose about phrases",
      "the phrase says that every model call is counted once more when it fails while others wait longer",
    ],
    ["a label of a password", 'password: "Enter your new password here"\n"passphrase": "the string that encrypts it"'],
    ["what goes on behind a label", "Checksum of the token file:\n".concat(hex, "\n")],
    ["an address of a page", "/reset/how-to-reset-a-password-quickly?x=1 /invite/teammates-and-other-people"],
    ["a format", 'toolskey = "VS%0.f0COMNTOOLS" % version'],
    ["names of secrets", "gcloud secrets versions access latest --secret=orders-db\nsecret: ordersServiceLive"],
    ["options that take no password", "adduser --disabled-password build-bot\npsql --no-password orders-live"],
    ["a file that is unpacked", "unzip -p some-archive-two x"],
    ["names in code behind a colon", "{\n  password: phraseFromPerson,\n  pwd: phraseFromPerson\n}"],
    ["words behind a header's", "Authorization: Bearer accessTokenOfAda2 x\nbearer createSessionV2Name x"],
    ["classes of keys", "private_key: Union[\n    ed25519.Ed25519PrivateKey,\n    ed448.Ed448PrivateKey,\n]"],
    ["words of tables", "PASS | check-of-2024 | 972/1018ms\n| password | user-chosen |\n"],
    ["a variable without a secret", 'variable "token_ttl" {\n  default = "30m"\n}\n'],
  ])("is left alone: %s", (_, text) => {
    expect(redact(text)).toEqual({ text, count: 0 });
  });
});
