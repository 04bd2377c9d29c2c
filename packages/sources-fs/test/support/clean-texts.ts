import type { Random } from "@cm/testkit";

/** Texts that hold no secret and much that looks like one: hashes, ids, references, placeholders, generated code. */
export function cleanText(random: Random): { readonly kind: string; readonly text: string } {
  const [kind, make] = random.pick(Object.entries(kinds));
  return { kind, text: Array.from({ length: 5 + random.below(20) }, () => make(random)).join("\n") };
}

const pick = (alphabet: string, count: number, random: Random): string =>
  Array.from({ length: count }, () => random.pick([...alphabet])).join("");
const letters = "abcdefghijklmnopqrstuvwxyz";
const hexadecimal = "0123456789abcdef";
const base64 = `${letters}${letters.toUpperCase()}0123456789+/`;
const word = (random: Random): string => random.pick(words);
const camel = (random: Random): string =>
  word(random) + [word(random), word(random)].map((one) => one.charAt(0).toUpperCase() + one.slice(1)).join("");
const uuid = (random: Random): string => [8, 4, 4, 4, 12].map((count) => pick(hexadecimal, count, random)).join("-");
const words =
  "user access token password secret client refresh session config value request response cache index store file path name key api login order item total error result update create parse render page state".split(
    " ",
  );

const kinds: Readonly<Record<string, (random: Random) => string>> = {
  lockfile: (r) =>
    `  ${word(r)}-${word(r)}@${r.below(9)}.${r.below(30)}.${r.below(9)}:\n    resolution: {integrity: sha512-${pick(base64, 86, r)}==}\n    engines: {node: '>=${r.below(22)}'}`,
  "lockfile in JSON": (r) =>
    `"node_modules/${word(r)}": {"version": "1.${r.below(9)}.0", "resolved": "https://registry.local/${word(r)}/-/${word(r)}-1.0.0.tgz", "integrity": "sha512-${pick(base64, 86, r)}=="},`,
  "sums of modules": (r) => `github.local/${word(r)}/${word(r)} v0.${r.below(40)}.1/go.mod h1:${pick(base64, 43, r)}=`,
  checksums: (r) => `${pick(hexadecimal, 64, r)}  ${word(r)}-${r.below(99)}.tar.gz`,
  "a log of commits": (r) =>
    `commit ${pick(hexadecimal, 40, r)}\nAuthor: Ada <ada@local.test>\n\n    ${camel(r)} ${word(r)}`,
  "ids in JSON": (r) => `{"id": "${uuid(r)}", "tokenId": "${uuid(r)}", "etag": "W/\\"${pick(hexadecimal, 32, r)}\\""}`,
  "names in code": (r) =>
    `const ${camel(r)} = await ${camel(r)}(${word(r)}, options.${camel(r)}2, "${word(r)}-${word(r)}");`,
  "assignments in code": (r) =>
    `  this.${word(r)}Token = ${camel(r)}.token; password = form.${camel(r)}; secret: string = ${camel(r)}V2();`,
  "types in code": (r) =>
    `  readonly ${word(r)}Token: ${camel(r)}; passwordHash?: Uint8Array<ArrayBuffer>; apiKey: string | undefined;`,
  "references in YAML": (r) =>
    `  - name: ${word(r).toUpperCase()}_PASSWORD\n    valueFrom: {secretKeyRef: {name: ${word(r)}-secrets, key: ${word(r)}-password}}`,
  "references in compose": (r) =>
    `      ${word(r).toUpperCase()}_TOKEN: \${${word(r).toUpperCase()}_TOKEN:?missing}\n      DATABASE_URL: postgres://\${USER}:\${PASSWORD}@db/${word(r)}`,
  "references in workflows": (r) =>
    `        env:\n          NPM_TOKEN: \${{ secrets.NPM_TOKEN }}\n          api-key: \${{ secrets.${word(r).toUpperCase()}_API_KEY }}`,
  "references in programs": (r) =>
    `const token = process.env.${word(r).toUpperCase()}_TOKEN2; secret = os.environ["${word(r).toUpperCase()}_SECRET_1"]`,
  "example environments": (r) =>
    `${word(r).toUpperCase()}_API_KEY=your-api-key-here\n${word(r).toUpperCase()}_PASSWORD=changeme\nTOKEN=<token>`,
  documentation: (r) =>
    `Set the ${word(r)} token with \`--token <your-token>\`, see https://docs.local/${word(r)}#access-token-${r.below(9)}. A password has 8 to 64 characters.`,
  "minified code": (r) =>
    `!function(e,t){var n=e.${word(r)}.t${r.below(99)},i=n.token||n.password;return t[i]=${pick(letters, 2, r)}(n.a1,"${pick(letters, 4, r)}")}(window,{key:"${word(r)}${r.below(9)}"});`,
  "an image in text": (r) => `.icon-${word(r)} { background: url(data:image/png;base64,${pick(base64, 160, r)}==); }`,
  "a drawing": (r) =>
    `<path d="M${r.below(99)}.${r.below(99)}c${r.below(9)}-${r.below(9)} ${r.below(99)}-1.25 0 1.5z" fill="#${pick(hexadecimal, 6, r)}"/>`,
  "a dump": (r) =>
    `${pick(hexadecimal, 8, r)}  ${Array.from({ length: 16 }, () => pick(hexadecimal, 2, r)).join(" ")}  |................|`,
  numbers: (r) => Array.from({ length: 8 }, () => (r.fraction() * 1e6).toFixed(4)).join(","),
  "a log of requests": (r) =>
    `10.0.0.${r.below(255)} - - [01/Jan/2026:10:00:0${r.below(9)} +0000] "GET /${word(r)}/${uuid(r)}?page=${r.below(99)} HTTP/1.1" 200 ${r.below(9999)}`,
  "a trace": (r) =>
    `    at ${camel(r)} (file:///app/node_modules/${word(r)}/dist/${word(r)}-${pick(hexadecimal, 8, r)}.js:${r.below(900)}:${r.below(90)})`,
  translations: (r) =>
    `  "${word(r)}.password.label": "Password", "login.token.expired": "Your token has expired. Please sign in again (${r.below(99)}).",`,
  "styles of classes": (r) =>
    `.sk-circle-fade-dot-${r.below(12)}, .pk-${word(r)}-${word(r)}-${word(r)} { animation-delay: -${r.below(9)}.1s; }`,
  "public keys": (r) => `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAA${pick(base64, 44, r)} ada@host`,
  certificates: (r) =>
    `-----BEGIN CERTIFICATE-----\n${pick(base64, 64, r)}\n${pick(base64, 40, r)}=\n-----END CERTIFICATE-----`,
  "images of containers": (r) => `FROM registry.local/${word(r)}:1.${r.below(9)}@sha256:${pick(hexadecimal, 64, r)}`,
  "files with a hash": (r) =>
    `<script src="/assets/${word(r)}.${pick(hexadecimal, 20, r)}.js" integrity="sha384-${pick(base64, 64, r)}"></script>`,
};
