import pg from "pg";

/** The part of the client that carries a request to cancel, which its types leave out. */
interface CancellingConnection {
  connect(port: number | string, host?: string): void;
  cancel(processId: number, secretKey: number): void;
  on(event: string, listener: () => void): void;
}

/**
 * Asks the server, on a connection of its own, to end what another one runs. It answers nothing; whether it was in time shows in the
 * answer of the statement.
 */
export function cancelStatement(client: pg.ClientBase, config: pg.ClientConfig): void {
  const { processID, secretKey } = client as unknown as { processID: number | null; secretKey: number | null };
  if (processID === null || secretKey === null) return;
  const canceller = new pg.Client({ ...config, ssl: false });
  const { connection } = canceller as unknown as { connection: CancellingConnection };
  connection.on("error", () => {});
  connection.on("connect", () => connection.cancel(processID, secretKey));
  if (canceller.host.startsWith("/")) connection.connect(`${canceller.host}/.s.PGSQL.${canceller.port}`);
  else connection.connect(canceller.port, canceller.host);
}
