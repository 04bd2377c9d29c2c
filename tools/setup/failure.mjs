// How setting up ends when it cannot go on: what happened, and what to do next.

const networkTrouble =
  /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ERR_SOCKET|dns error|error sending request|timed out/i;

export function fail(message) {
  console.error(`\n${message}`);
  process.exit(1);
}

/** Ends the setup after a program has failed; `output` is all that it printed. */
export function failInstall(what, output) {
  const next = networkTrouble.test(output)
    ? "The npm registry cannot be reached. The first run needs the network, later ones do not: check the connection,\n" +
      "the proxy settings and `npm config get registry`, then run the same command again."
    : "The output above says why. Run the same command again when that is cured.";
  fail(`${output.trim()}\n\nCould not install ${what}.\n${next}`);
}
