// Verifies: SSOT 5.10 (where secrets of daily work stand, and what stands there that is none)
import { createRedactor } from "@cm/sources-fs";
import { describe, expect, it } from "vitest";

const redact = createRedactor();
/** Drawn once, put together here so that no scanner takes them for ours. */
const token = "q7Rk2".concat("vXw9Lm4Zt8Bc3Nd6Hy");
const uuid = "3f2a8c04-".concat("9b1e-4d7a-a6c5-0e82d1f4b793");
const hex = "9c1f".concat("04b7e2d85a6390fe7c21d4b8a6053e9f7c12");
const login = Buffer.from(`ada:${token}`).toString("base64");
const long = Buffer.from(Array.from({ length: 240 }, (_, n) => (n * 89 + 41 * (n >> 3)) % 251)).toString("base64");
const uuidPath = `/prod/app/${"db_password"}`;
const pemEnd = "-----END RSA PRIV".concat("ATE KEY-----");
const base64Line = long.slice(0, 64);
const bcrypt = `$2y$10$${"N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy"}`;
const crypt = `$6$Qz8kLm2x$${`${token}${token}${token}${token}`.slice(0, 86)}`;

const secrets: readonly (readonly [string, string, string])[] = [
  // A UUID behind a secret's name.
  ["Heroku", `HEROKU_API_KEY=${uuid}`, uuid],
  ["a header", `X-Auth-Token: ${uuid}`, uuid],
  [".npmrc", `//registry.local/:_authToken=${uuid}`, uuid],
  ["JSON", `{"snykToken":"${uuid}"}`, uuid],
  // Short names.
  ["Stripe", `STRIPE_KEY=${token}`, token],
  ["an auth key", `AUTH_KEY=${token}`, token],
  ["Rails", `RAILS_MASTER_KEY=${hex}`, hex],
  ["an encryption key", `encryptionKey: '${token}',`, token],
  ["a password of two words", `dbPass = "${token}"`, token],
  ["credentials", `REGISTRY_CREDS=${token}`, token],
  // Connection strings.
  ["Pwd", `Server=db;Database=app;Uid=ada;Pwd=${token};`, token],
  ["Pwd, thought up by a person", "Server=db;Uid=ada;Pwd=Sommer2024!x;Encrypt=true", "Sommer2024!x"],
  ["a password thought up by a person", 'DB_PASSWORD="Sommer2024!"', "Sommer2024!"],
  ["a password thought up by a person, in YAML", "password: Winter#2031\n", "Winter#2031"],
  ["Password", `"Data Source=db;User ID=ada;Password=${token};"`, token],
  ["SharedAccessKey", `Endpoint=sb://a.local/;SharedAccessKeyName=Root;SharedAccessKey=${login}`, login],
  // Names and values as neighbours.
  ["define in PHP", `define('DB_PASSWORD', '${token}');`, token],
  ["a list in YAML", `env:\n  - name: DB_PASSWORD\n    value: ${token}\n`, token],
  ["a list in YAML with quotes", `env:\n  - name: "API_TOKEN"\n    value: "${token}"\n`, token],
  ["pairs in JSON", `[{"name":"DB_PASSWORD","value":"${token}"}]`, token],
  ["pairs in JSON on lines", `{\n  "Name": "API_KEY",\n  "Value": "${token}"\n}`, token],
  ["pairs in JSON with a type", `{"name":"API_KEY","type":"PLAINTEXT","value":"${token}"}`, token],
  ["pairs in JSON within JSON", JSON.stringify(`{"name":"API_KEY","value":"${token}"}`), token],
  ["pairs under key", `{"key":"apiToken","value":"${token}"}`, token],
  ["the next line in YAML", `db:\n  password:\n    ${token}\n`, token],
  ["a block in YAML", `db:\n  password: >-\n    ${token}\n`, token],
  ["the next line in code", `const apiToken =\n  "${token}";\n`, token],
  ["Terraform", `variable "db_password" {\n  type    = string\n  default = "${token}"\n}\n`, token],
  ["XML attributes", `<add key="DbPassword" value="${token}" />`, token],
  ["XML elements", `<property name="password">${token}</property>`, token],
  ["a property list", `<key>ApiToken</key>\n\t<string>${token}</string>`, token],
  // Cookies.
  ["Cookie", `Cookie: theme=dark; sid=${token}; lang=en`, token],
  ["Set-Cookie", `Set-Cookie: connect.sid=s%3A${token}.x; Path=/; HttpOnly`, token],
  ["a cookie in JSON", JSON.stringify({ headers: { cookie: `a=1; session=${token}` } }), token],
  ["a cookie of curl", `curl --cookie "session=${token}" http://app.local`, token],
  ["a session of GitLab", `got _gitlab_session=${hex} back`, hex],
  // Commands.
  ["curl -u", `curl -s -u ada:${token} https://api.local/x`, token],
  ["curl --user", `curl --user 'ada:${token}' https://api.local/x`, token],
  ["curl over lines", `curl https://api.local \\\n  -u ada:${token}\n`, token],
  ["a command in JSON", JSON.stringify({ command: `cd x && curl -u ada:${token} https://api.local` }), token],
  ["mysql", `mysql -h db -u root -p${token} app`, token],
  ["mysqldump", "mysqldump -uroot -pgeheim42x app > dump.sql", "geheim42x"],
  ["sshpass", `sshpass -p '${token}' ssh ada@db`, token],
  ["docker login", `docker login -u ada -p ${token} registry.local`, token],
  ["redis-cli", `redis-cli -h cache -a ${token} ping`, token],
  ["openssl", `openssl rsa -in a.pem -passin pass:${token}`, token],
  ["SQL", `CREATE USER ada WITH PASSWORD '${token}';`, token],
  ["SQL of MySQL", `CREATE USER 'ada'@'%' IDENTIFIED BY '${token}';`, token],
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
  // Names and values as neighbours in other ways.
  ["Terraform's outputs", `"api_key": {\n  "sensitive": true,\n  "type": "string",\n  "value": "${token}"\n}`, token],
  ["a variable of a build", `variables:\n  DEPLOY_TOKEN:\n    value: "${token}"\n`, token],
  ["parameters of AWS", `{\n "Name": "${uuidPath}",\n "Type": "SecureString",\n "Value": "${uuid}"\n}`, uuid],
  ["columns", `Key         Value\n---         -----\npassword    ${token}\nuser        app\n`, token],
  ["a table", `| name | value |\n| client_secret | ${token} |`, token],
  ["a table with lines", `│ BOT_TOKEN       │ ${hex}    │`, hex],
  ["a key of sealed storage", `Unseal Key 1: ${token}`, token],
  ["both keys of AWS", `AK${"IA"}Q7RK2VXW5LM4ZT3B\t${token}/${token.slice(0, 16)}`, token],
  ["what aws asks", `AWS Secret Access Key [None]: ${token}${token}`, token],
  ["settings of tokens in JSON", `"Jwt": { "Issuer": "app", "Key": "${token}" }`, token],
  ["settings of tokens in the environment", `Jwt__Key=${token}`, token],
  ["a short name of a password", `LDAP_BIND_PW=${token}\n`, token],
  ["aligned assignments", `client_secret              = "${token}"`, token],
  ["a change of Terraform's", `~ password = "geheim" -> "${token}"`, token],
  ["a tag in YAML", `password: !!str ${token}`, token],
  ["an anchor in YAML", `password: &shared ${token}`, token],
  ["parameters of aws", `aws ssm put-parameter --name /app/db_password --type SecureString --value '${hex}'`, hex],
  ["Markdown", `**API key:** \`${token}\``, token],
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
  // Shells.
  ["csh", `setenv API_TOKEN '${token}'`, token],
  ["settings of aws", `aws configure set aws_secret_access_key ${token}`, token],
  ["settings of npm", `npm config set //registry.local/:_authToken ${uuid}`, uuid],
  ["secrets of gh", `gh secret set API_TOKEN --body "${token}"`, token],
  ["a here-string", `wrangler secret put API_TOKEN <<< "${token}"`, token],
  ["a password through a pipe", `echo '${token}' | docker login -u ada --password-stdin registry.local`, token],
  ["htpasswd", `htpasswd -bc .htpasswd ada ${token}`, token],
  ["the environment of PowerShell", `Set-Item -Path Env:API_TOKEN -Value "${token}"`, token],
  ["PowerShell", `$pw = ConvertTo-SecureString "${token}" -AsPlainText -Force`, token],
  ["cmdkey", `cmdkey /add:fs01 /user:ada /pass:${token}`, token],
  ["sqlplus", `sqlplus scott/${token}@//ora:1521/XE`, token],
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
  ["a UUID as a login", `https://${uuid}@git.local/a.git`, uuid],
  // Names in other languages.
  ...[
    ...[
      "kennwort",
      "geheimnis",
      "apiSchluessel",
      "API_SCHLÜSSEL",
      "Passwort",
      "mot_de_passe",
      "motDePasse",
      "motdepasse",
    ],
    ...["clé_api", "CLE_SECRETE", "jeton", "contraseña", "CONTRASENA_BD", "clave", "llave", "senha", "chave_api"],
    ...["segredo", "segreto", "parola", "wachtwoord", "haslo", "hasło", "lösenord", "losenord", "passord", "salasana"],
    ...["heslo", "пароль", "パスワード"],
  ].map((name) => [`a name: ${name}`, `${name}: ${token}`, token] as const),
  ["a German sentence", `Das Passwort für den Server lautet ${token}`, token],
  ["a French sentence", `le mot de passe est : ${token}`, token],
  ["a Spanish sentence", `la contraseña es ${token}`, token],
  // Names that are one word with `pass`, and others.
  ["sshpass", `export SSHPASS=${token}`, token],
  ["keytool", `keytool -genkeypair -storepass ${token}`, token],
  ["a key of a wireless net", `WIFI_PSK=${token}`, token],
  ["a pepper", `{ pepper: '${token}' }`, token],
  ["a licence", `licenseKey = "${token}"`, token],
  // Values.
  ["a password behind a key's name", "STRIPE_API_KEY=Winter2031!", "Winter2031!"],
  ["a password of signs behind a token's name", 'BOT_TOKEN="k7p^Vw04+sX=q2"', "k7p^Vw04+sX=q2"],
  ["a password with commas", "DB_PASSWORD=WYr4,j7o,2ey=Q^o!f\n", "WYr4,j7o,2ey=Q^o!f"],
  ["letters alone", 'DEPLOY_TOKEN: "EPqzCGteBrpvsxmRVEim"', "EPqzCGteBrpvsxmRVEim"],
  // Values in other wrappings.
  ["C++", `std::string token{"${token}"};`, token],
  ["a macro in C", `#define API_TOKEN "${token}"`, token],
  ["Kotlin", `mapOf("api_key" to "${token}")`, token],
  ["a list", `{"api_key":["${token}"]}`, token],
  ["a dump in PHP", `["api_key"]=>\n  string(20) "${token}"`, token],
  ["pairs in lists", `[["API_TOKEN","${token}"],["PORT","80"]]`, token],
  ["pairs with something between", `{"value":"${token}","slot":false,"name":"API_TOKEN"}`, token],
  ["a default in Rust", `var("API_TOKEN").unwrap_or_else(|_| "${token}".into())`, token],
  ["a here-document", `api_token=$(cat <<'E'\n${token}\nE\n)`, token],
  ["bold Markdown", `- **API Key**: \`${token}\``, token],
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
  // Names that stand farther off, in settings that no rule knows.
  ["columns before values", `INSERT INTO keys (owner, api_key, made) VALUES ('ops', '${token}', 1);`, token],
  ["a comment above", `# API token of the maple account\nvalue: ${token}\n`, token],
  ["a ternary", `const apikey = isProd ? readVault('cedar') : '${token}';`, token],
  ["a name behind the value", `request.setValue("${token}", forHTTPHeaderField: "X-Api-Key")`, token],
  ["a list below its name", `headers:\n  X-Api-Key:\n  - ${token}\n`, token],
  ["a default of a shell", `: "\${APP_APIKEY:=${token}}"`, token],
  ["a console", `irb> credentials.openai_secret_key\n=> "${token}"`, token],
  ["a sentence", `Rotated the token of the bot (was \`${token}\`)`, token],
  ["two words that a person joined", 'app: { password: "toast-kettle-brown" }', "toast-kettle-brown"],
  ["letters and a digit behind a password's name", "db_password = hamburg54\n", "hamburg54"],
  // What a command prints.
  ["pass", `$ pass show mail/ada\n${token}`, token],
  ["op", `$ op read op://Prod/db/field\n${uuid}\n`, uuid],
  ["vault", `$ vault kv get -field=x kv/shop\n${token}`, token],
  ["the environment", `$ printenv API_TOKEN\n${hex}`, hex],
  ["echo", `ada@host:~$ echo $API_TOKEN\n${token}\n`, token],
  ["a file of a secret", `# cat /run/secrets/db\n${token}`, token],
  ["a pipe", `$ curl -s a.local | jq -r .access_token\n${token}`, token],
  ["openssl", `$ openssl rand -hex 20\n${hex}`, hex],
  ["pwgen", `$ pwgen -s 22 1\n${token}`, token],
  ["wg", `$ wg genkey\n${token}`, token],
  ["a parameter of AWS", `$ aws ssm get-parameter --name /a --with-decryption --output text\n${token}`, token],
  ["a vault of Azure", `$ az keyvault secret show --name a\n{\n  "value": "${token}"\n}`, token],
  ["what Jenkins says", `Please use the following password to proceed:\n\n${token}\n`, token],
  ["prose with the value first", `use ${token} as the password`, token],
  // Heads of columns.
  ["a table of Markdown", `| Service | Password |\n|---|---|\n| db | ${token} |`, token],
  ["a table of a database", ` id | api_token\n----+------\n  7 | ${token}\n(1 row)`, token],
  ["CSV", `user,password\nada,${token}\n`, token],
  ["columns with a head", `NAME      TOKEN      AGE\nci        ${token}   3d`, token],
  // Arguments by their place, and options.
  ["vault login", `vault login ${token}`, token],
  ["a registry of poetry", `poetry config http-basic.acme ci ${token}`, token],
  ["mc", `mc alias set local http://minio:9000 admin ${token}`, token],
  ["net user", `net user bob ${token} /add`, token],
  ["net use", `net use Z: \\\\srv\\share /user:ACME\\ada ${token}`, token],
  ["rabbitmqctl", `rabbitmqctl add_user shop ${token}`, token],
  ["nmcli", `nmcli dev wifi connect Home password ${token}`, token],
  ["wpa_passphrase", `wpa_passphrase Home ${token}`, token],
  ["reg add", `reg add HKCU\\X /v ApiToken /t REG_SZ /d ${token} /f`, token],
  ["a mask of GitHub", `echo "::add-mask::${token}"`, token],
  ["a variable of Azure DevOps", `##vso[task.setvariable variable=X;issecret=true]${token}`, token],
  ["a login with a slash", `Login: ada / ${token}`, token],
  ["influx", `influx query -t ${token} 'from()'`, token],
  ["twine", `twine upload -u __token__ -p ${token} dist/*`, token],
  ["buildah", `buildah push --creds=ci:${token} a b`, token],
  ["nuget", `dotnet nuget push a.nupkg -k ${token}`, token],
  ["cqlsh", `cqlsh -u cassandra -p ${token} c1`, token],
  ["xh", `xh -A bearer -a ${token} https://a.local`, token],
  ["curl's bearer", `curl --oauth2-bearer ${token} https://a.local`, token],
  ["fish", `set -gx API_TOKEN ${token}`, token],
  ["a secret of .NET", `dotnet user-secrets set "Db:Password" "${token}"`, token],
  ["pulumi", `pulumi config set --secret dbPassword ${token}`, token],
];

describe("a secret", () => {
  it.each(secrets)("does not pass: %s", (_, text, secret) => {
    const { text: redacted, count } = redact(text);

    expect(redacted).not.toContain(secret.slice(0, secret.length / 2));
    expect(redacted).not.toContain(secret.slice(secret.length / 2));
    expect(count).toBeGreaterThan(0);
    expect(redacted.split("\n")).toHaveLength(text.split("\n").length);
    expect(redact(redacted)).toEqual({ text: redacted, count: 0 });
  });
});

describe("no secret", () => {
  it.each([
    ["a UUID that names one", `{"tokenId":"${uuid}","secret_id":"${uuid}"}`],
    ["keys that open nothing", `cacheKey: "${token}"\npublicKey = "${token}"\nprimary_key=${token}\nmonkey: ${token}`],
    ["a key of React", `<li key="${token}">`],
    ["how tests went", "--- PASS: TestGetOrCreateSessionID_InvalidUUID2/x9K (0.00s)\nBYPASS=1"],
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
    ["a format", 'toolskey = "VS%0.f0COMNTOOLS" % version'],
    ["a variable without a secret", 'variable "token_ttl" {\n  default = "30m"\n}\n'],
  ])("is left alone: %s", (_, text) => {
    expect(redact(text)).toEqual({ text, count: 0 });
  });
});
