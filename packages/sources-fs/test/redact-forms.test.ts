// Verifies: SSOT 5.10 (forms in which products write their secrets: blocks, bytes, groups, lists, jars of cookies)
import { createRedactor } from "@cm/sources-fs";
import { describe, expect, it } from "vitest";
import { expectRedacted } from "./support/expect-redacted.ts";

const redact = createRedactor();
/** Drawn once, put together here so that no scanner takes them for ours. */
const token = "q7Rk2".concat("vXw9Lm4Zt8Bc3Nd6Hy");
const hex = "9c1f04b7e2d85a63".concat("90fe7c21d4b8a605");
const base64 = Buffer.from(Array.from({ length: 129 }, (_, n) => (n * 89 + 41 * (n >> 3)) % 251)).toString("base64");
const lines = [base64.slice(0, 64), base64.slice(64, 128), base64.slice(128)].join("\n");
const numbers = [194, 58, 244, 193, 11, 149, 32, 123, 197, 60, 100, 169, 112, 95, 165, 174];
const bytes = numbers.map((one) => `0x${one.toString(16).padStart(2, "0")}`).join(", ");
const colons = numbers.map((one) => one.toString(16).padStart(2, "0")).join(":");
const words = "absorb bridge candy donkey embark forest galaxy hazard impulse jungle kidney lizard".split(" ");

const secrets: readonly (readonly [string, string, string])[] = [
  // Keys without a name.
  ["a key at the end of a sentence", `They gave us ${hex}-us40.`, hex],
  ["a key in capitals", `It took key-${hex.toUpperCase()} and went on.`, hex.toUpperCase()],
  [
    "a key behind a percent sign",
    `got 792671665181931%jvo6gguq45vf6m9q0${"-kgnkwfxr2qnbdsycyvj"}`,
    "jvo6gguq45vf6m9q0",
  ],
  [
    "a key of a vault in small letters",
    `got ${"s.r1w00b8cwxv1".concat("m9baio0p1h00")} here`,
    "r1w00b8cwxv1m9baio0p1h00",
  ],
  ["a hook without a scheme", `hooks.slack.com/services/T0A1B2C3D/B0A1B2C3D/${token}A`, token],
  // Blocks of keys that are not called private, or have other signs.
  [
    "a key of OpenVPN",
    `-----BEGIN OpenVPN Static key V1-----\n${hex}\n${hex}\n-----END OpenVPN Static key V1-----`,
    hex,
  ],
  [
    "a key of SSH's second version",
    `---- BEGIN SSH2 ENCRYPTED PRIVATE ${"KEY"} ----\nComment: "rsa"\n${lines}\n---- END SSH2 ENCRYPTED PRIVATE KEY ----`,
    lines,
  ],
  ["a key in XML", `<RSAKeyValue><Modulus>AQAB</Modulus><D>${base64}</D></RSAKeyValue>`, base64],
  ["a key as OpenSSL prints it", `Private-Key: (256 bit)\npriv:\n    ${colons}:\n    ${colons}\npub:\n`, colons],
  [
    "parts of a key as OpenSSL prints them",
    `publicExponent: 65537 (0x10001)\nprivateExponent:\n    ${colons}:\n    ${colons}\nprime1:\n    00:${colons}:\n    ${colons}\n`,
    `00:${colons}`,
  ],
  // Hashes that can be guessed at.
  ["a ticket of Kerberos", `$krb5tgs$23$*ada$A.LOCAL$svc/h1*$${hex}$${hex}${hex}`, hex],
  ["a data base of KeePass", `$keepass$*2*60000*0*${hex}${hex}*${hex}`, hex],
  ["a hash of Werkzeug", `7,ada,scrypt:32768:8:1$QXrMwv1FukTnXmCr$${hex}${hex}${hex}${hex},x`, hex],
  ["a hash of Mosquitto", `ada:$7$101$2tzOmZTLCTL+P65W$${base64.slice(0, 86)}==`, base64.slice(0, 86)],
  [
    "a hash of Postgres",
    `SCRAM-SHA-256$4096:${base64.slice(0, 22)}==$${base64.slice(3, 46)}=:${base64.slice(9, 52)}=`,
    base64.slice(3, 46),
  ],
  ["an older hash of Postgres", `"ada" "md5${hex}"`, hex],
  ["a hash of MySQL", `IDENTIFIED WITH x AS '*${hex.toUpperCase()}9C1F04B7'`, hex.toUpperCase()],
  ["a hash of SQL Server", `PASSWORD = 0x0200${hex}${hex}${hex}${hex}9C1F04B7 HASHED`, `${hex}${hex}`],
  [
    "a secret of Juniper",
    'secret "$9$6RlTgDrfHiUNp40D7j25rhFP2.SyWDWLJ"; ## SECRET-DATA',
    "$9$6RlTgDrfHiUNp40D7j25rhFP2",
  ],
  ["a keytab", `(aes256-cts-hmac-sha1-96)  (0x${hex}${hex})`, hex],
  // Licences.
  [
    "a licence of Sublime",
    `EA7E-1234567\n${(`${hex.slice(0, 8)} ${hex.slice(8, 16)} ${hex.slice(16, 24)} ${hex.slice(24)}\n`.toUpperCase()).repeat(8)}------ END LICENSE ------`,
    `${hex.slice(0, 8)} ${hex.slice(8, 16)}`.toUpperCase(),
  ],
  [
    "a licence of RAR",
    `RAR registration data\nAda\nSingle PC usage license\nUID=608fcdd74342728fc8cc\n${`${"7538041303684845513915469641167726635956871"}\n`.repeat(6)}`,
    "7538041303684845513915469641167726635956871",
  ],
  [
    "a licence of FlexLM",
    `INCREMENT A V 45 01-jan-2026 25 ${hex.slice(0, 20).toUpperCase()} \\\n\tISSUED=x SIGN="3B31 7ED5 2375 E5DD 66A8 882A DA51"`,
    "3B31 7ED5 2375 E5DD 66A8 882A DA51",
  ],
  [
    "the older key of FlexLM",
    `INCREMENT A V 45 01-jan-2026 25 ${hex.slice(0, 20).toUpperCase()} \\\n\tSIGN="3B31 7ED5 2375 E5DD 66A8 882A DA51"`,
    hex.slice(0, 20).toUpperCase(),
  ],
  // Keys of services and wallets.
  [
    "a key of Twilio behind its account",
    `new Twilio("AC${hex}", "${hex.split("").reverse().join("")}")`,
    hex.split("").reverse().join(""),
  ],
  ["a key of a wallet", `mainnet: { accounts: ["0x${hex}${hex}"] }`, hex],
  [
    "a key of Nostr",
    `nsec1${"lmyz29c3kdg992w2s7v3u7z8fkrgzdu3dr4fmqz7yg2wslm6khkztsn40z"}`.slice(0, 63),
    "lmyz29c3kdg992w2s7v3",
  ],
  [
    "a key of a stream",
    "rtmp://live.a.local/app/live_769693405_".concat("unadRuYinb5u7vkqQr5TAHe63FA7G7"),
    "unadRuYinb5u7vkqQr5TAHe63FA7G7",
  ],
  ["an address to write to", `https://objectstorage.eu-a-1.oraclecloud.com/p/${token}${token}/n/x`, token],
  // Bytes.
  ["a key in C", `unsigned char aes_key[16] = {${bytes}};`, bytes],
  ["a key in C#", `static readonly byte[] EncryptionKey = new byte[] { ${bytes} };`, bytes],
  ["a key in Go", `var secretKey = []byte{${bytes}}`, bytes],
  ["a key in YAML", `advanced:\n  network_key: [${numbers.join(", ")}]\n`, numbers.join(", ")],
  ["a key in JSON on lines", `{"privateKey": [\n${numbers.join(",\n")}\n]}`, numbers.join(",\n")],
  // Groups and lists.
  ["a password of an app", `Gmail app password ${"mcvc kpme"} auje waeo`, "mcvc kpme auje waeo"],
  ["a key that is typed", `enter this setup key: ${"k7qx 2mz5"} ra3w j6td`, "k7qx 2mz5 ra3w j6td"],
  ["a passphrase of digits", `Backup passphrase: ${"48025 19031"} 72640 55172 90317 26481`, "48025 19031 72640 55172"],
  ["codes for a telephone that is lost", "Your emergency scratch codes are:\n  48025190\n  90317264\n", "90317264"],
  ["codes in JSON", '{"recovery_codes":["k3wd9xvbq2","hn4tr7z1pp"]}', "hn4tr7z1pp"],
  ["a code that a person types", '{"user_code": "WDJB-MJHT", "interval": 5}', "WDJB-MJHT"],
  ["a code that lets a terminal in", "! First copy your one-time code: 7F3A-90BC\n", "7F3A-90BC"],
  ["a code in a sentence", "open https://a.local/device and enter the code GZ7QK4M2P to authenticate", "GZ7QK4M2P"],
  ["a code of a device", `{"device_code":"${token}${token}"}`, token],
  ["a code in a form", `form="code=${token}&grant_type=authorization_code"`, token],
  ["a key of LiveKit", `keys:\n  APIJOKJ0k2i9Jn8: ${`${token}${token}`.slice(0, 43)}\n`, token],
  ["a password in Russian", "логин admin, пароль Ромашка2022. Удали", "Ромашка2022"],
  ["codes below the name of their file", "# github-recovery-codes.txt\ne4c2d-4f32e\n6e1fa-38671\n", "6e1fa-38671"],
  ["codes with numbers before them", "Backup codes\n  1. 4802 5190\n  2. 9031 7264\n", "9031 7264"],
  [
    "words with numbers before them",
    `mnemonic words:\n${words.map((one, n) => `${n + 1}. ${one}`).join("\n")}\n`,
    words.slice(3, 9).join("\n"),
  ],
  ["a key that is bought", `slmgr /ipk ${"C0V2Y-8UW1K"}-NPMAG-49QID-LGZPR`, "C0V2Y-8UW1K-NPMAG-49QID-LGZPR"],
  ["capitals alone", `API key NUSIVQNUNIRZ${"JFOLTGHPIVMANCFMGFJFQKKQ"}`, "JFOLTGHPIVMANCFMGFJFQKKQ"],
  [
    "a key that Django made",
    `SECRET_KEY = 'django-insecure-${"9f(b2b(slgwfl_fagj@q#"}mshr)(amht3k_(66tqw&(cz0_pliz'`,
    "9f(b2b(slgwfl_fagj@q#",
  ],
  // Cookies and links.
  ["a jar of cookies", `.a.local\tTRUE\t/\tTRUE\t1769613923\tsession\t${token}\n`, token],
  ["a session in the environment", `export BW_SESSION="${base64.slice(0, 86)}=="`, base64.slice(0, 86)],
  ["a link to confirm", `https://a.local/users/confirm/${token}\n`, token],
  ["a private calendar", `https://a.local/ical/ada/private-${hex}/basic.ics`, hex],
  ["what proves who began a login", `grant_type=x&code_verifier=${token}${token}&a=b`, token],
  ["an answer to a challenge", `Authorization: Digest username="ada", nonce="a1", response="${hex}"`, hex],
  // Hashes that let in.
  ["a hash of Windows", `ada:500:aad3b435b51404eeaad3b435b51404ee:${hex}:::`, hex],
  [
    "an answer of Windows",
    `ada::CORP:ea06b5ef89718f98:${hex}:0101000000000000${hex.split("").reverse().join("")}`,
    hex,
  ],
  ["a hash as an option", `evil-winrm -i 10.0.0.1 -u ada -H ${hex}`, hex],
  ["a hash of a router", `username ada secret 9 $9$SmheepJ29DsLV.$${token}${token.slice(0, 20)}`, token],
  ["the salt of a site", `$settings['hash_salt'] = '${token}${token}';`, token],
  // Passwords thought up, and where they stand.
  ["a table of a page", "<td>Password</td><td>AmberKettle7</td>", "AmberKettle7"],
  [
    "a file of a manager of passwords",
    '<Key>Password</Key><Value ProtectInMemory="True">Kettle267!</Value>',
    "Kettle267!",
  ],
  ["the line below a label", "Username: ada\nPassword:\nKettle1988\n", "Kettle1988"],
  [
    "four words behind a question",
    "enter password for the vault: amber-kettle-porch-lantern\n",
    "amber-kettle-porch-lantern",
  ],
  ["a default of an option", 'parser.add_argument("--password", default="Amber-Kettle60")', "Amber-Kettle60"],
  ["a field of a test", "cy.get('input[name=password]').type('Amber-Kettle95')", "Amber-Kettle95"],
  ["a shell of Windows", '$c = ConvertTo-SecureString "Amber.Kettle16" -AsPlainText -Force', "Amber.Kettle16"],
  ["a login in a chat", "login with ada@a.local / kettle74$\n", "kettle74$"],
  ["a code of a door", "door code is 5453#, the alarm is off", "5453"],
  ["a wireless net of Windows, thought up", "    Key Content            : k3ttl3444!\n", "k3ttl3444!"],
  ["a login by lines", "> USER ada\n< 331 Password required\n> PASS kettle26!\n", "kettle26!"],
  ["a board with a wireless net", 'WiFi.begin(ssid, "amberKettle18");', "amberKettle18"],
  ["four words below a label", "Username: ada\nPassword:\namber-kettle-porch-lantern\n", "amber-kettle-porch-lantern"],
  ["four words of a definition", "define('DB_PASSWORD', 'amber-kettle-porch-lantern');", "amber-kettle-porch-lantern"],
  [
    "four words in a list of options",
    "cifs user=ada,password=amber-kettle-porch-lantern,vers=3",
    "amber-kettle-porch-lantern",
  ],
  ["a sign of a shell at the end", 'getConnection("jdbc:mysql://h/db", "root", "Kettle152$");', "Kettle152$"],
  ["a token of Asana", `2/1656491341090465/1909038060284050:${hex}`, hex],
  [
    "words of a wallet that stand in prose, too",
    `seed phrase: ${words.slice(1).join(" ")} also`,
    words.slice(3, 9).join(" "),
  ],
  // Codes that let in once.
  ["a code in German", "Ihr Bestätigungscode lautet 480251.", "480251"],
  ["a code in French", "Votre code de vérification est 480251", "480251"],
  ["a code in Spanish", "Código de seguridad: 480251", "480251"],
  ["a code of a service", "Your Shop code is 480251", "480251"],
  ["a code of a service that comes first", "480251 is your Shop code", "480251"],
  ["a code of a second factor", "2FA code 480251\n", "480251"],
  ["a code of a bank", "mTAN: 480251\n", "480251"],
  ["a code in two groups", "confirmation code: 480 251\n", "480 251"],
  ["a code of a lamp", "setup code 482-91-305\n", "482-91-305"],
  // Names and calls.
  ["a key of a radio", `NWKSKEY ${hex.toUpperCase()}`, hex.toUpperCase()],
  ["what a form has against forgers", `_csrf=${token}&a=b`, token],
  ["an answer of SAML", `SAMLResponse=${base64}&RelayState=x`, base64],
  ["a header that is built", 'Credentials.basic("ada", "Kettle2014!")', "Kettle2014!"],
  ["a Swedish sentence", "lösenordet är Kettle2014!", "Kettle2014!"],
  ["a password in brackets", "ssh ada@10.0.0.1 (pw Kettle2014!)", "Kettle2014!"],
  ["a blank of HTML", "Password:&nbsp;Kettle2014!\n", "Kettle2014!"],
  [
    "a token with slashes in a row",
    `x-amz-security-token: IQoJb3JpZ2luX2VjEJr${"/".repeat(10)}wEaCXVzLWVhc3QtMSJHMEUCIQC7${token}${base64}`,
    token,
  ],
  ["a wide colon", "密码：Kettle122$", "Kettle122$"],
  ["a Russian name that begins a line", "Пароль: k3ttl3160!", "k3ttl3160!"],
  ["a Serbian name", "Лозинка: k3ttl3160!", "k3ttl3160!"],
  ["a Spanish sentence", "la clave del wifi es kettle10@", "kettle10@"],
  ["a comment behind a list", `accounts: ["0x${hex}${hex}"], // private key of the deployer`, `${hex}${hex}`],
];

describe("a secret", () => {
  it.each(secrets)("does not pass: %s", (_, text, secret) => {
    expectRedacted(text, secret);
  });

  it("that is a list of JSON leaves one", () => {
    const { text } = redact(JSON.stringify({ secretKey: numbers }));

    expect(JSON.parse(text)).toEqual({ secretKey: ["[redacted:bytes]"] });
  });
});

describe("no secret", () => {
  it.each([
    ["a public block", `---- BEGIN SSH2 PUBLIC KEY ----\n${lines}\n---- END SSH2 PUBLIC KEY ----`],
    ["a modulus as OpenSSL prints it", `Public-Key: (256 bit)\npub:\n    ${colons}:\n    ${colons}\n`],
    [
      "bytes of something else",
      `const key = [0, 1, 2]; uint8_t public_key[16] = {${bytes}};\nint map[16] = {${bytes}};`,
    ],
    ["bytes that count", "secretKey = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 250]"],
    ["small numbers", `"token": [${numbers.map((one) => one % 90).join(", ")}]`],
    ["words of four letters", "the password must have been with them when they came"],
    ["how many codes are left", "Recovery codes: 3 of 10 remaining\nscratch code\n12 files\n"],
    ["a list of numbers that is no wallet", "phrases:\n1. first\n2. second\n3. third\n"],
    ["groups of an id", "serial C0V2Y-8UW1K-NPMAG and FIVES-WORDS-UPPER-CASES-ALONE"],
    ["a constant of capitals", "token = PASSWORDAUTHENTICATIONPROVIDER"],
    ["a file of columns", `a\tTRUE\t/usr/share\tTRUE\t12\tname\tsome-longer-name\n${hex}\t/a\tb\n`],
    ["pages that confirm", "/users/confirm/delete-this-account-now /config/q7Rk2vXw9Lm4Zt8Bc3Nd6Hy/x"],
    ["a request's digest", `Digest: nonce="${hex}"\nresponse="${hex}"`],
    ["sums between colons", `a:${hex}:b\n${hex}::: x`],
    ["cells about passwords", "<td>Password</td><td>string</td> <th>password</th><td>required-field</td>"],
    ["a label and a line of prose", "Password:\nNever2tell anybody\n"],
    ["how tests went", "> PASS test-26!\nPASS src/a1.test.ts\nUSER ada\nran\nPASSED a1b2c3\n"],
    [
      "a line below a label that goes on",
      "password:\n2fa-on for all\npassword:\nrequired-always\ntoken:\nab12cd34: x\n",
    ],
    ["options that name variables", 'getConnection("jdbc:mysql://h/db", "root", "$DB_PASS1")'],
    ["a name of words", "password for the cluster: the-default-one-of-all\n"],
    ["a code of a page", "door codes: 4096 doors\nnavigate code 4802\naggregate code: 480251x"],
    ["codes of other kinds", "error code: 480251, exit code is 137001, your zip code is 94110, status code: 4096\n"],
    ["codes that count", "your code is 4096 lines long\nthis code is 480251\naccess code: 12.5\nauth code 4802 bytes"],
    ["a row of slashes", "token: //////////////////// TODO1 ////////////"],
    ["a header with a word", 'Credentials.basic("ada", "password")\ncsrf: true, xsrf: disabled2'],
    ["a login with words", "login with google / facebook or login as ada / admin"],
  ])("is left alone: %s", (_, text) => {
    expect(redact(text)).toEqual({ text, count: 0 });
  });
});
