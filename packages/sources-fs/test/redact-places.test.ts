// Verifies: SSOT 5.10 (secrets that their place tells: arguments, words of routers, files, codes in other languages)
import { createRedactor } from "@cm/sources-fs";
import { describe, expect, it } from "vitest";
import { expectRedacted } from "./support/expect-redacted.ts";

const redact = createRedactor();
/** Thought up and drawn, and put together here so that no scanner takes them for ours. */
const word = "Amber-Kettle".concat("60");
const plain = "kettle".concat("1988");
const drawn = "9OLF!ORP9".concat("h%r6VN0");
const hex = "9c1f04b7e2d85a63".concat("90fe7c21d4b8a605");
const base64 = "qsi9SYT1rMFsvlOmc5Ha920TGry0".concat("jsIsJVU62DhzZi0=");
const bought = "WP9N-JNC2".concat("-977B");

const secrets: readonly (readonly [string, string, string])[] = [
  // Options.
  ["curl", `curl -uada:${word} https://a.local`, word],
  ["a key as a name of curl's", `curl -u ${hex}: https://a.local`, hex],
  ["a long password of MySQL", `mysql -p${hex.repeat(6)} shop`, hex],
  ["etcdctl", `etcdctl --user root:${word} get x`, word],
  ["jenkins", `java -jar jenkins-cli.jar -auth ada:${word} list-jobs`, word],
  ["ldap", `ldapmodify -D cn=x -w${drawn} -f x.ldif`, drawn],
  ["a new password of ldap", `ldappasswd -s ${plain} uid=ada`, plain],
  ["SQL Server", `sqlcmd -S srv -U sa -P'${drawn}' -Q x`, drawn],
  ["rar", `rar a -hp${plain} a.rar f`, plain],
  ["a keychain", `security unlock-keychain -p ${word} login.keychain`, word],
  ["Perforce", `p4 -u ada -P ${hex} sync`, hex],
  ["swaks", `swaks --au ada -ap ${word} -t x`, word],
  ["a file of PDF", `pdftotext -upw ${plain} a.pdf`, plain],
  ["plink", `plink -ssh ada@h -pw ${word} ls`, word],
  ["a command that is not known", `shoptool --user ada -p ${word} list`, word],
  ["a command of Windows that is not known", `shoptool /u:ada /p:${word}`, word],
  // Arguments by their place.
  ["impacket", `impacket-psexec CORP/ada:'${word}'@10.0.0.1`, word],
  ["mysqladmin", `mysqladmin -u root password ${word}`, word],
  ["a command about passwords", `rabbitmqctl change_password ada ${word}`, word],
  ["smbclient", `smbclient //srv/share ${drawn} -U ada`, drawn],
  ["ansible-vault", `ansible-vault encrypt_string '${plain}' --name db_pass`, plain],
  ["RADIUS", `radtest ada ${word} 10.0.0.5 1812 ${plain}\n`, plain],
  ["a proxy's peer", `cache_peer 10.1.1.1 parent 3128 0 login=ada:${plain}\n`, plain],
  ["a mailbox that is tried", `doveadm auth test ada ${word}\n`, word],
  ["a game's server", `+sv_setsteamaccount ${hex.toUpperCase()}`, hex.toUpperCase()],
  ["a client of Redis", `red:auth("${plain}")`, plain],
  ["a password that is kept", `pass insert -e web/wiki <<< '${word}'`, word],
  ["a desktop far away", `\npassword 51:b:${hex.toUpperCase()}${hex.toUpperCase()}\n`, hex.toUpperCase()],
  [
    "a chat that logs in",
    `<auth xmlns='x' mechanism='PLAIN'>${Buffer.from(`\0ada\0${word}`).toString("base64")}</auth>`,
    Buffer.from(`\0ada\0${word}`).toString("base64"),
  ],
  [
    "a link of an invitation",
    `https://a.local/accept-invitation/${"KRjZMZRgiuCoWEYWisJ29eb92EQWr"}`,
    "KRjZMZRgiuCoWEYWisJ29eb92EQWr",
  ],
  [
    "a link that confirms",
    `GET /reset/confirm?t=${"KRjZMZRgiuCoWEYWisJ29eb92EQWr"} HTTP/1.1`,
    "KRjZMZRgiuCoWEYWisJ29eb92EQWr",
  ],
  ["ZooKeeper", `addauth digest ada:${word}`, word],
  ["Redis", `127.0.0.1:6379> AUTH ada ${plain}`, plain],
  ["a chat", `/msg NickServ IDENTIFY ${plain}`, plain],
  ["an operator of a chat", `/oper ada ${word}`, word],
  ["a game", `steamcmd +login ada ${plain} +quit`, plain],
  ["a mailbox", `* OK ready\na1 LOGIN ada@a.local ${plain}\n`, plain],
  ["a wireless net of macOS", `networksetup -setairportnetwork en0 Home ${word}`, word],
  ["a wireless net", `iwconfig wlan0 key s:${word}`, word],
  ["a file of PDF that is closed", `qpdf --encrypt ${plain} ${word} 256 -- a.pdf b.pdf`, word],
  ["Oracle", `expdp ada/${drawn.replace("%", "x")}@orcl dumpfile=x`, drawn.replace("%", "x")],
  ["GitLab", `gitlab-rake "gitlab:password:reset[root,${word}]"`, word],
  // What is told on.
  ["two lines for passwd", `echo -e "${word}\\n${word}" | passwd ada`, word],
  ["kinit", `echo ${word} | kinit ada@A.LOCAL`, word],
  ["su", `echo ${plain} | su - ada`, plain],
  ["GnuPG", `echo "${word}" | gpg --batch --passphrase-fd 0 -c f`, word],
  ["a file of a secret", `printf '%s' '${word}' > secrets/secret_key`, word],
  ["chpasswd", `chpasswd <<< "ada:${word}"`, word],
  ["lines for chpasswd", `chpasswd <<EOF\nada:${word}\nEOF\n`, word],
  ["a machine that is set up", `chpasswd:\n  expire: false\n  list: |\n    ada:${word}\n`, word],
  ["expect", `spawn ssh a@b\nexpect "*?assword*" { send "${word}\\r" }`, word],
  ["a script that waits", `child.expect('Password:')\nchild.sendline('${word}')`, word],
  ["telnet in Python", `tn.read_until(b"Password: ")\ntn.write(b"${word}\\n")`, word],
  // Arguments of calls.
  ["a login", `ftp.login("ada", "${word}")`, word],
  ["a connection", `mysql.connect("h", "ada", "${plain}", "shop")`, plain],
  ["a connection with a port", `ssh.connect(h, 22, 'ada', '${word}')`, word],
  ["a tuple", `requests.get(u, auth=("ada", "${word}"))`, word],
  ["a credential", `new NetworkCredential("ada", "${word}")`, word],
  ["a directory", `conn.simple_bind_s("cn=admin,dc=a", "${word}")`, word],
  ["a keyring", `keyring.set_password("svc", "ada", "${word}")`, word],
  // Routers.
  ["a stored password", "username ada password 7 0376140B55FE17A0\n", "0376140B55FE17A0"],
  ["a neighbour", `neighbor 10.0.0.1 password ${word}\n`, word],
  ["a secret", `enable secret 0 ${plain}\n`, plain],
  ["a server's key", `tacacs-server host 10.0.0.1 key ${word}\n`, word],
  ["a server's key on its line", `aaa-server R host 10.0.0.1\n key ${word}\n`, word],
  ["a chain of keys", `key-string ${word}\n`, word],
  ["a shared key", `ikev1 pre-shared-key ${plain}\n`, plain],
  ["a key of a clock", `ntp authentication-key 1 md5 ${word}\n`, word],
  ["a community", `snmp-server host 10.0.0.1 version 2c ${plain}\n`, plain],
  ["a community of a file", `com2sec notConfigUser default ${plain}\n`, plain],
  ["a user of SNMP", `snmp-server user ada g v3 auth sha ${word}\n`, word],
  ["a manager of a switch", `password manager user-name "ada" plaintext ${plain}\n`, plain],
  ["a user of net-snmp", `createUser ada SHA "${plain}" AES "${word}"\n`, plain],
  ["the other key of net-snmp", `createUser ada SHA "${plain}" AES "${word}"\n`, word],
  ["a login of TACACS", `login = cleartext "${word}"\n`, word],
  ["OpenWrt", `option key '${plain}'\n`, plain],
  // Files.
  [".pgpass", `db.local:5432:orders:ada:${word}\n`, word],
  [".pgpass by its name", `$ cat ~/.pgpass\n*:*:*:ada:${word}\nh:1:d:u:${plain}\n`, plain],
  ["a dial-in", `# /etc/ppp/chap-secrets\nada * ${word} *\n`, word],
  ["a dial-in by two fields", `$ cat /etc/ppp/pap-secrets\nuser1 isp.net ${plain}\n`, plain],
  ["a relay", `[smtp.a.local]:587 ada@a.local:${word}\n`, word],
  ["a relay by its file's name", `# /etc/postfix/sasl_passwd\nmail.a.local  ada:${plain}\n`, plain],
  [".htdigest", `.htdigest\nada:Private Area:${hex}\n`, hex],
  ["OpenVPN", `$ cat /etc/openvpn/auth.txt\nada\n${word}\n`, word],
  ["OpenVPN in one file", `<auth-user-pass>\nada\n${plain}\n</auth-user-pass>`, plain],
  ["a list of users", `user app on >${drawn} ~app:* +@read`, drawn],
  ["a list of users with hashes", `user app on #${hex}${hex} ~* +@all`, `${hex}${hex}`],
  ["a scheme of a password", `ada:{PLAIN}${word}`, word],
  ["a login of IPsec", `ada : EAP "${word}"\n`, word],
  ["a key of IPsec", `: RSA gateway.pem "${word}"\n`, word],
  [
    "a token of a cluster as it is made",
    `AccessorID:       ${"15b37fa7-"}09c3-44f8-837b-8f1d70f4f986\nSecretID:         ${"ef9856c0-"}6475-49ba-9eac-b15dfdddeab4\n`,
    "ef9856c0-6475-49ba-9eac-b15dfdddeab4",
  ],
  ["a cluster's key", `encrypt = "${base64}"\n`, base64],
  ["a pager's key", `routing_key: ${hex}\n`, hex],
  // Codes.
  ["a code in Russian", "Ваш код подтверждения: 480251", "480251"],
  ["a code in Chinese", "您的验证码是480251，请勿泄露", "480251"],
  ["a code in Japanese", "認証コードは480251です", "480251"],
  ["a code in Korean", "인증번호 [480251]", "480251"],
  ["a code in Polish", "Twój kod: 480251", "480251"],
  ["a code in Turkish", "Doğrulama kodu: 480251", "480251"],
  ["a code in French that has another name", "Votre code de validation est 480251", "480251"],
  ["a code of a bank in a sentence", "Ihre TAN lautet 480251", "480251"],
  ["a PIN in Russian", "ПИН-код: 4802", "4802"],
  ["a gate", "gate code 4802#\n", "4802"],
  ["codes in German", `Wiederherstellungscodes:\n7xefe-9c63x\n60em0-24ka0\n`, "60em0-24ka0"],
  ["codes in Russian", "Резервные коды:\n48025190\n90317264\n", "90317264"],
  ["codes on a line", "emergency codes: 7xefe-9c63x, 60em0-24ka0", "60em0-24ka0"],
  ["a card", `Gift card: ${bought}`, bought],
  ["a voucher", `Gutscheincode: ${bought}`, bought],
  ["a game that is bought", `redeem on Steam: ${bought}`, bought],
  ["a serial number of a program", `SHOP_SERIAL=${bought}`, bought],
  // Passwords.
  ["what comes first", `use ${word} as the password`, word],
  ["a login in a line", `credentials are ada / ${word}`, word],
  ["a login below two names", `User / Password: ada / ${word}`, word],
  ["a quoted Japanese sentence", `パスワードは「${word}」です`, word],
  ["a Chinese sentence", `密码是${word}`, word],
  ["a default that is real", "admin_password=Changeme2024!", "Changeme2024!"],
  ["letters of both cases", "DB_PASSWORD=CinfYVkYHcsX\n", "CinfYVkYHcsX"],
  ["letters in an element", "<password>jbeCyRMOvN</password>", "jbeCyRMOvN"],
  ["a word that begins like another", `password: "Mustang-Orange-7"`, "Mustang-Orange-7"],
  ["a text of SQL Server", `CREATE LOGIN a WITH PASSWORD = N'${plain}'`, plain],
  ["a member of C#", `public string Password { get; set; } = "${plain}";`, plain],
  ["a call that hashes", `password: bcrypt.hashSync('${plain}', 10)`, plain],
  ["an answer to a label", `{"label": "Root password", "answer": "${plain}"}`, plain],
  ["what a test types", "cy.get('#password').type('soleil_d_ete')", "soleil_d_ete"],
  ["a sentence in Chinese that goes on", `账号 ada,口令:${plain},登录`, plain],
  ["a code in Japanese with a remark", "確認コード:676898(有効期限5分)", "676898"],
  ["a Danish name", `kodeord: ${plain}`, plain],
];

describe("a secret", () => {
  it.each(secrets)("does not pass: %s", (_, text, secret) => {
    expectRedacted(text, secret);
  });
});

describe("no secret", () => {
  it.each([
    [
      "options of other commands",
      "sudo -u ada mkdir -p build2/x1y2\ndocker run -u ada -p 8080:80 web1\nps -u ada -p 4012",
    ],
    ["a port behind a user", "psql -U ada -p 5432 orders2"],
    ["commands without a password", "npm run reset-password -- --help2me"],
    ["prose about commands", "The reset-password page of release2 and the set-password call of v2 changed."],
    ["what is told on to others", "echo build2024 | tee log.txt\necho step1 > steps.txt\nprintf '%s' a1b2c3 | wc -c"],
    ["calls with words", 'ftp.login("ada", "password")\nexpect("a", "b1c2")\nsocket.connect("tcp", "host")'],
    ["keys of other things", "key 1\nhost a.local key value\noption key 'name'\nset key ascii"],
    ["a modifier of a string", 'if (hash.indexOf("{SHA}") === 0) return crypto2.createHash("sha1")'],
    ["colours", "{steelblue:4620980,tan:13808780,teal:32896}"],
    ["times and addresses", "at 05:43:21 host:5432 is up; postgres://db:5432/orders2"],
    ["files beside others", "sasl_passwd\nsee main.cf for more2\nchap-secrets: see below\n"],
    ["codes that are none", "код ошибки: 480251\nошибка, код возврата 137001\n错误码：480251\nPIN コードについて"],
    ["a device", "serial number: E7NYP7LUB46M\nserial no T4YQMOHPF32Y\nvoucher: SUMMER"],
    [
      "names in code behind a password's",
      "password = getUserInputText\nconst pwd = renderLoginForm;\n<password>encryptedValueOf</password>",
    ],
    ["variables that follow each other", '"$dir$path/to/some/file/where/nothing/is" $a$b "$name$suffix_of_it_all"'],
    ["sums of packages", `SIGN=off sign="no" md5-${hex} 0x0100${hex}\n"integrity": "*"`],
    ["a default that says so", "password: changeme\npassword: CHANGE_ME\npassword=changeme123"],
    ["words before a name", "is as simple as the password\nv2.1 is the token of release-2 (the default)"],
  ])("is left alone: %s", (_, text) => {
    expect(redact(text)).toEqual({ text, count: 0 });
  });
});
