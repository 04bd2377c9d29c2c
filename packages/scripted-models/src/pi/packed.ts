/** The package of the Pi that npm cannot install, as the registry packs it. */
export const packed = {
  name: "@earendil-works/pi-coding-agent",
  version: "1.5.2",
  /** SHA-512 of the tarball, in base64. What it needs beside it is in `modules/package-lock.json`. */
  sha512: "mUWI04rqF1Vd/m1q+Ps1XeWsTXEVvRUnsmRa83I3Dzua0Tx5bYS93imeqtIfrXf7PkkaR6ERz+AuQhIJlom5yA==",
  /** The command line that npm puts on the path, below the package: of the installed Pi, too. */
  cli: "dist/bundle/cli.js",
} as const;
