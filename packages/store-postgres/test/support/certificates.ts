import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { unprivileged } from "@cm/private-postgres";

/** A CA of the test's own, and the certificate of a server at 127.0.0.1 that it signed. */
export interface Certificates {
  /** Paths of PEM files. */
  readonly ca: string;
  readonly certificate: string;
  readonly key: string;
  remove(): void;
}

/** Makes new ones with the program openssl, which the server's user may read. */
export function makeCertificates(): Certificates {
  const folder = mkdtempSync(join(tmpdir(), "cm-certificates-"));
  const at = (name: string): string => join(folder, name);
  const openssl = (...args: string[]) => execFileSync("openssl", args, { cwd: folder, stdio: "pipe" });
  const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  openssl(
    "req",
    "-x509",
    ...newKey,
    "-keyout",
    "ca.key",
    "-out",
    "ca.pem",
    "-days",
    "2",
    "-subj",
    "/CN=a CA of a test",
  );
  openssl("req", ...newKey, "-keyout", "server.key", "-out", "server.csr", "-subj", "/CN=a server of a test");
  writeFileSync(at("names"), "subjectAltName=IP:127.0.0.1\n");
  const signedBy = ["-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial"];
  openssl("x509", "-req", "-in", "server.csr", ...signedBy, "-out", "server.pem", "-days", "2", "-extfile", "names");
  chmodSync(at("server.key"), 0o600);
  const owner = unprivileged();
  if (owner !== undefined)
    for (const name of ["", "server.pem", "server.key"]) chownSync(at(name), owner.uid, owner.gid);
  return {
    ca: at("ca.pem"),
    certificate: at("server.pem"),
    key: at("server.key"),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
