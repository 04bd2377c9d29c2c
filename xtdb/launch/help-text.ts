export const helpText = `npm run xtdb -- [OPTION...]            start a node and stay until Ctrl-C
npm run xtdb -- prepare                fetch and compile once; later starts need no network
npm run xtdb -- compact DIR            physical part of an erasure, node stopped
npm run xtdb -- scan DIR TEXT...       which stored values still hold a text; exit code 3 when one does
npm run xtdb -- backup DIR TARGET      copy log and documents of a stopped node

where the node keeps what it knows
  --memory                nowhere: gone when it stops (default)
  --data DIR              RocksDB below DIR
  --postgres URL          log and documents in Postgres, shared by several nodes; without a password in the URL,
                          PGPASSWORD is taken
  --index DIR             this node's own index for --postgres; without it a new one is made at every start
  --checkpoint DIR        copies of the index, every 6 hours, from which a new node catches up sooner
                          (compact: whose copies to remove as well)
how it is reached
  --port N                default: a free port
  --host HOST             default: 127.0.0.1
  --allow-remote          needed for a host that other machines can reach
  --token-file FILE       every request must carry this token (or set CM_XTDB_TOKEN)
what it may do
  --transaction-functions lets every writer run code inside the node
  --heap MIB              memory of the Java process for objects, default 1024
  --quick                 start sooner with a small heap and work more slowly: for tests
  --verbose               show the node's own log, on stderr`;
