/**
 * Version 1 of the file's schema. Names, ids and paths are ordered text (`toOrderedText`); times are milliseconds since
 * the epoch; hashes are the 32 bytes of a SHA-256.
 */
export const schemaVersion1 = `
-- A committed transaction. Ids are dense from 1 and times never run backwards: both are taken under the write lock.
CREATE TABLE tx(tx_id INTEGER PRIMARY KEY, time INTEGER NOT NULL) STRICT;

-- The envelope, once per object. Everything else refers to oid. id is unique whatever the kind: writers look
-- under every kind. Object types are few, so one index that begins with them serves lookups and lists alike.
CREATE TABLE kind(kind_id INTEGER PRIMARY KEY, type TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE object(oid INTEGER PRIMARY KEY, kind_id INTEGER NOT NULL REFERENCES kind, id TEXT NOT NULL,
  UNIQUE(kind_id, id)) STRICT;

-- The binding of a sourced object: a filesystem's is its namespace and path, others stand there as JSON.
CREATE TABLE place(place_id INTEGER PRIMARY KEY, type TEXT NOT NULL, namespace TEXT NOT NULL, UNIQUE(type, namespace)) STRICT;
CREATE TABLE source(oid INTEGER PRIMARY KEY REFERENCES object, place_id INTEGER NOT NULL REFERENCES place,
  path TEXT NOT NULL, binding TEXT) STRICT;
CREATE INDEX source_by_path ON source(place_id, path);

-- Content once per SHA-256; enc says how data holds it (content-codec).
CREATE TABLE blob(bid INTEGER PRIMARY KEY, hash BLOB NOT NULL UNIQUE CHECK(length(hash) = 32),
  size INTEGER NOT NULL, enc INTEGER NOT NULL, data BLOB NOT NULL) STRICT;

-- Sessions by name, and the objects that ever had a version in each.
CREATE TABLE session(session_id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE member(session_id INTEGER NOT NULL REFERENCES session, oid INTEGER NOT NULL REFERENCES object,
  PRIMARY KEY(session_id, oid)) STRICT, WITHOUT ROWID;

-- An erasure, with the transaction that made it.
CREATE TABLE erasure(tx_id INTEGER PRIMARY KEY REFERENCES tx, reason TEXT NOT NULL) STRICT;

-- One version of one object. bid is NULL for null content. enc says how payload holds the other mutable fields
-- (payload-codec). An erased version keeps its stamp and has no payload. session_id has a row in session,
-- unchecked because the check would need an index.
CREATE TABLE version(vid INTEGER PRIMARY KEY, oid INTEGER NOT NULL REFERENCES object, tx_id INTEGER NOT NULL REFERENCES tx,
  valid_from INTEGER NOT NULL, content_hash BLOB NOT NULL CHECK(length(content_hash) = 32),
  session_id INTEGER, tool TEXT, bid INTEGER REFERENCES blob, enc INTEGER NOT NULL, payload BLOB,
  erased INTEGER REFERENCES erasure, CHECK((payload IS NULL) = (erased IS NOT NULL))) STRICT;
-- Read from its end: current, as-of and history in one. Ascending, because heads grow at their end and pages fill better.
CREATE UNIQUE INDEX version_as_of ON version(oid, valid_from, tx_id);
CREATE INDEX version_newest ON version(oid, vid);
CREATE INDEX version_by_blob ON version(bid) WHERE bid IS NOT NULL;

-- Receipts of commits with a request id. Of id and fingerprint the first half of a SHA-256 stands here. results: see
-- receipts.
CREATE TABLE request(request_hash BLOB PRIMARY KEY, fingerprint BLOB NOT NULL, tx_id INTEGER NOT NULL REFERENCES tx,
  results TEXT NOT NULL) STRICT, WITHOUT ROWID;

-- What was committed stays. Erasure is the exception: it belongs to the newest transaction, takes the document, and
-- leaves the stamp.
CREATE TRIGGER tx_fixed BEFORE UPDATE ON tx BEGIN SELECT RAISE(ABORT, 'transactions are append-only'); END;
CREATE TRIGGER tx_kept BEFORE DELETE ON tx BEGIN SELECT RAISE(ABORT, 'transactions are append-only'); END;
CREATE TRIGGER kind_fixed BEFORE UPDATE ON kind BEGIN SELECT RAISE(ABORT, 'the envelope is immutable'); END;
CREATE TRIGGER kind_kept BEFORE DELETE ON kind BEGIN SELECT RAISE(ABORT, 'the envelope is immutable'); END;
CREATE TRIGGER object_fixed BEFORE UPDATE ON object BEGIN SELECT RAISE(ABORT, 'the envelope is immutable'); END;
CREATE TRIGGER object_kept BEFORE DELETE ON object BEGIN SELECT RAISE(ABORT, 'objects are kept'); END;
CREATE TRIGGER source_fixed BEFORE UPDATE ON source BEGIN SELECT RAISE(ABORT, 'the envelope is immutable'); END;
CREATE TRIGGER source_kept BEFORE DELETE ON source
  WHEN EXISTS (SELECT 1 FROM version WHERE oid = OLD.oid AND erased IS NULL)
  BEGIN SELECT RAISE(ABORT, 'the envelope is immutable'); END;
CREATE TRIGGER blob_fixed BEFORE UPDATE ON blob BEGIN SELECT RAISE(ABORT, 'content is immutable'); END;
CREATE TRIGGER blob_kept BEFORE DELETE ON blob
  WHEN EXISTS (SELECT 1 FROM version WHERE bid = OLD.bid)
    OR NOT EXISTS (SELECT 1 FROM erasure WHERE tx_id = (SELECT max(tx_id) FROM tx))
  BEGIN SELECT RAISE(ABORT, 'content is immutable'); END;
CREATE TRIGGER version_fixed BEFORE UPDATE ON version
  WHEN OLD.erased IS NOT NULL OR NEW.erased IS NOT (SELECT max(tx_id) FROM tx)
    OR NEW.payload IS NOT NULL OR NEW.bid IS NOT NULL OR NEW.session_id IS NOT NULL OR NEW.tool IS NOT NULL
    OR NEW.vid <> OLD.vid OR NEW.oid <> OLD.oid OR NEW.tx_id <> OLD.tx_id OR NEW.valid_from <> OLD.valid_from
    OR NEW.content_hash <> OLD.content_hash
  BEGIN SELECT RAISE(ABORT, 'versions are append-only'); END;
CREATE TRIGGER version_kept BEFORE DELETE ON version BEGIN SELECT RAISE(ABORT, 'versions are append-only'); END;
CREATE TRIGGER erasure_fixed BEFORE UPDATE ON erasure BEGIN SELECT RAISE(ABORT, 'erasures are append-only'); END;
CREATE TRIGGER erasure_kept BEFORE DELETE ON erasure BEGIN SELECT RAISE(ABORT, 'erasures are append-only'); END;
CREATE TRIGGER request_fixed BEFORE UPDATE ON request BEGIN SELECT RAISE(ABORT, 'receipts are append-only'); END;
CREATE TRIGGER request_kept BEFORE DELETE ON request BEGIN SELECT RAISE(ABORT, 'receipts are append-only'); END;
`;

/**
 * What version 2 adds: the index of texts (text-index). It holds trigrams of texts in lower case by bid, without positions
 * and without the texts, and may be behind or empty: searches look at what it does not have.
 */
export const schemaVersion2 = `
CREATE VIRTUAL TABLE text_index USING fts5(text, content='', contentless_delete=1, detail=none,
  tokenize='trigram case_sensitive 1');
`;

/**
 * What version 3 adds: the index of the fields that types declare (field-index). A field key stands for one member of a
 * field, or for all objects of a type where its text is empty. Rows are of the versions that hold now or later; every
 * search asks which of an object's versions holds.
 */
export const schemaVersion3 = `
CREATE TABLE field_key(key_id INTEGER PRIMARY KEY, kind_id INTEGER NOT NULL REFERENCES kind, text TEXT NOT NULL,
  UNIQUE(kind_id, text)) STRICT;
CREATE TABLE field(oid INTEGER NOT NULL REFERENCES object, vid INTEGER NOT NULL REFERENCES version,
  key_id INTEGER NOT NULL REFERENCES field_key, newest INTEGER NOT NULL, PRIMARY KEY(oid, vid, key_id)) STRICT, WITHOUT ROWID;
CREATE INDEX field_newest ON field(key_id, newest DESC);
`;
