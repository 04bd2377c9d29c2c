/** Tables of oh-my-pi, so that both read one file. A trigger keeps the index of words. */
export const schema = `
PRAGMA journal_mode = WAL;
PRAGMA synchronous = NORMAL;
CREATE TABLE IF NOT EXISTS history (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  prompt TEXT NOT NULL,
  created_at INTEGER NOT NULL DEFAULT (CAST(strftime('%s', 'now') AS INTEGER)),
  cwd TEXT
);
CREATE INDEX IF NOT EXISTS idx_history_created_at ON history (created_at DESC);
CREATE VIRTUAL TABLE IF NOT EXISTS history_fts USING fts5(prompt, content = 'history', content_rowid = 'id');
CREATE TRIGGER IF NOT EXISTS history_ai AFTER INSERT ON history BEGIN
  INSERT INTO history_fts (rowid, prompt) VALUES (new.id, new.prompt);
END;
`;
