/** An option of a command that takes a password, or a name and a password. Letters are as in the command line. */
export interface SecretOption {
  readonly commands: RegExp;
  /** How the option may begin, after the sign. */
  readonly letters: string;
  /** The text after ` -`, up to the value. */
  readonly option: RegExp;
  /** The password follows a name and this sign. */
  readonly after?: string;
}

const options: readonly SecretOption[] = [
  {
    letters: "uaU-",
    commands: /\b(?:curl|http|https|xh|wget)\b/,
    option: /(?:u|a|-user|-proxy-user|U)(?:[ \t]{1,4}|=)/y,
    after: ":",
  },
  { letters: "u", commands: /\bcurl\b/, option: /u/y, after: ":" },
  {
    letters: "u-",
    commands: /\b(?:etcdctl|aria2c|curlftpfs|siege|h2load|vegeta)\b/,
    option: /(?:u|-user)(?:[ \t]{1,4}|=)/y,
    after: ":",
  },
  {
    letters: "aA",
    commands: /\b(?:jenkins-cli(?:\.jar)?|splunk|ab|wrk)\b/,
    option: /(?:auth|A)[ \t]{1,4}/y,
    after: ":",
  },
  { letters: "p", commands: /\b(?:mysql[a-z]{0,8}|mariadb(?:-[a-z]{2,8})?|mydumper|myloader)\b/, option: /p/y },
  { letters: "p", commands: /\bsshpass\b/, option: /p[ \t]{0,4}/y },
  {
    letters: "p",
    commands: /\b(?:docker|podman|helm|oras|skopeo|az|oc|nerdctl|buildah)\b.{0,80}\blogin\b/,
    option: /p[ \t]{1,4}/y,
  },
  { letters: "a", commands: /\bredis-cli\b/, option: /a[ \t]{1,4}/y },
  {
    letters: "w",
    commands: /\b(?:ldapsearch|ldapadd|ldapmodify|ldapwhoami|ldappasswd|turnutils_\w{3,12})\b/,
    option: /w[ \t]{0,4}/y,
  },
  { letters: "s", commands: /\b(?:ldappasswd|check_nt)\b/, option: /s[ \t]{1,4}/y },
  { letters: "P", commands: /\b(?:sqlcmd|osql|tsql|bcp|isql|freebcp)\b/, option: /P[ \t]{0,4}/y },
  {
    letters: "pP",
    commands: /\b(?:mongo|mongosh|mongodump|mongorestore|mongoexport|mongoimport|sqlcmd|clickhouse-client)\b/,
    option: /[pP][ \t]{1,4}/y,
  },
  { letters: "U", commands: /\b(?:smbclient|rpcclient|winexe|net)\b/, option: /U[ \t]{1,4}/y, after: "%" },
  { letters: "p", commands: /\b(?:7z|7za|7zr|7zz|unrar)\b/, option: /p[ \t]{0,2}/y },
  { letters: "h", commands: /\brar\b/, option: /hp/y },
  { letters: "P", commands: /\b(?:zip|unzip)\b/, option: /P[ \t]{0,2}/y },
  { letters: "t", commands: /\b(?:influx|codecov|doctl|fastly|consul|nomad|pscale)\b/, option: /t[ \t]{1,4}/y },
  { letters: "p", commands: /\btwine\b/, option: /p[ \t]{1,4}/y },
  { letters: "kK", commands: /\b(?:nuget|openssl)\b/, option: /[kK][ \t]{1,4}/y },
  { letters: "NP", commands: /\bssh-keygen\b/, option: /[NP][ \t]{0,4}/y },
  { letters: "cAX", commands: /(?:\b|_)snmp(?:\w{2,9})?\b/, option: /[cAX][ \t]{0,4}/y },
  { letters: "b", commands: /\boathtool\b/, option: /b[ \t]{1,4}/y },
  { letters: "-", commands: /\boathtool\b/, option: /-base32(?:[ \t]{1,4}-\S{2,12})?[ \t]{1,4}/y },
  { letters: "u", commands: /\b(?:lftp|sftp)\b/, option: /u[ \t]{1,4}/y, after: "," },
  {
    letters: "p",
    commands:
      /\b(?:psexec|doveadm|rdesktop|nxc|netexec|crackmapexec|evil-winrm|mycli|rar|mongorestore|check_\w{2,20})\b/i,
    option: /p[ \t]{0,4}/y,
  },
  { letters: "hH", commands: /\b(?:nxc|netexec|crackmapexec|evil-winrm)\b/i, option: /H[ \t]{1,4}/y },
  {
    letters: "pP",
    commands: /\b(?:mosquitto_\w{3}|bcp|isql|hdbsql|useradd|usermod|cqlsh|ipmitool|snowsql|mysqlsh)\b/,
    option: /[pP][ \t]{1,4}/y,
  },
  {
    letters: "-",
    commands: /\b(?:skopeo|buildah|podman|crane|oras|regctl)\b/,
    option: /-(?:src-|dest-)?creds(?:[ \t]{1,4}|=)/y,
    after: ":",
  },
  { letters: "a", commands: /\bxh\b.{0,80}[ \t]bearer\b/, option: /a[ \t]{1,4}/y },
  {
    letters: "-",
    commands: /\b(?:curl|xh|restic|tailscale|cloudflared)\b/,
    option: /-(?:oauth2-bearer|bearer|password-command[ \t]'echo)[ \t]{1,4}/y,
  },
  { letters: "p", commands: /\bopenssl\b/, option: /pass(?:in|out)?[ \t]{1,4}pass:/y },
  {
    letters: "p",
    commands:
      /\b(?:rabbitmqadmin|racadm|hydra|medusa|ncrack|bloodhound-python|m?rcon(?:-cli)?|ncftp(?:put|get|ls)?|certutil|altool|sfd?x?|yt-dlp|youtube-dl|cypher-shell|couchbase-cli|cbq|beeline|elasticsearch-users|veracrypt|truecrypt|aescrypt|steghide|mutool|smbmap|sshfs|nessuscli|dsmadmc|ftpget|ftpput)\b/,
    option: /p[ \t]{1,4}/y,
  },
  { letters: "wpkP", commands: /\bsecurity[ \t]{1,4}[a-z]{2,10}-[a-z]/, option: /[wpkP][ \t]{1,4}/y },
  {
    letters: "wWkK",
    commands: /\b(?:pk12util|kadmin|ccrypt|mcrypt|vsql|ipa-client-install)\b/,
    option: /[wWkK][ \t]{1,4}/y,
  },
  { letters: "PpU", commands: /\bp4\b/, option: /P[ \t]{1,4}/y },
  { letters: "ax", commands: /\b(?:swaks|send[eE]mail)\b/, option: /[ax]p[ \t]{1,4}/y },
  { letters: "u", commands: /\bpdf[a-z]{2,10}\b/, option: /upw[ \t]{1,4}/y },
  // What is behind `-pw` is a password, whatever the command is.
  { letters: "p", commands: /(?:)/, option: /pw[ \t]{1,4}/y },
  // As is what stands behind a user: `tool -u ada -p X`. `sudo -u ada mkdir -p x` has another command between.
  {
    letters: "pP",
    commands:
      /(?<!\b(?:sudo|run|exec|runuser|ps)(?:[ \t][^\n]{0,40})?)[ \t](?:-[uUlD]|-{1,2}user(?:name)?)(?:[ \t]{1,4}|=)["']?[\w.@\\/+=,-]{2,64}/,
    option: /[pP][ \t]{1,4}/y,
  },
];

/** The options by the letter, or the second sign, that stands behind ` -`. */
export const optionsByLetter: ReadonlyMap<string, readonly SecretOption[]> = new Map(
  [..."uaUpwWPtkKNcAXbhHsx-"].map((letter) => [letter, options.filter(({ letters }) => letters.includes(letter))]),
);
