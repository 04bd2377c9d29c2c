/**
 * One index entry for each version: an entry takes as much as a short version does. The versions that hold from the time of their
 * transaction are in the order of both times at once. The others, `dated`, need an entry for each order. The view has both in
 * the order of transactions: a query of it uses the index of either.
 */
export const versionIndexes = `
CREATE UNIQUE INDEX version_plain ON version(oid, tx_id) WHERE valid_from IS NULL;
CREATE UNIQUE INDEX version_dated ON version(oid, tx_id) WHERE valid_from IS NOT NULL;
CREATE UNIQUE INDEX version_dated_as_of ON version(oid, valid_from, tx_id) WHERE valid_from IS NOT NULL;
CREATE VIEW any_version AS SELECT v.ctid AS at, v.* FROM version v WHERE v.valid_from IS NULL
  UNION ALL SELECT v.ctid, v.* FROM version v WHERE v.valid_from IS NOT NULL;`.trim();

/**
 * Tables of the newest schema version. Names, ids and paths are database text (`toDatabaseText`), ordered by their bytes; times
 * are milliseconds since the epoch; what is 128 bits of a SHA-256 is a uuid. Only the functions write here. Numbers of objects,
 * transactions and texts have four bytes: a store is some terabytes large when they end.
 */
export const tables = `
-- A committed transaction. Ids are dense from 1, and ids and times are taken under the namespace's lock: whoever sees an id
-- sees all before it, and times never run backwards. That the id is a key makes compare-and-set and create-only facts: of two
-- commits that saw the same newest transaction one fails. results is of schema version 1: the versions tell what a request wrote.
CREATE TABLE tx(tx_id int PRIMARY KEY WITH (fillfactor = 100) CHECK(tx_id > 0), ms bigint NOT NULL, request uuid, fingerprint uuid, results text);
CREATE UNIQUE INDEX tx_by_request ON tx(request) WHERE request IS NOT NULL;

CREATE TABLE kind(kind_id int PRIMARY KEY GENERATED ALWAYS AS IDENTITY, type text COLLATE "C" NOT NULL UNIQUE);
CREATE TABLE session(session_id int PRIMARY KEY GENERATED ALWAYS AS IDENTITY, name text COLLATE "C" NOT NULL UNIQUE);

-- A namespace of a kind of source; hash is of both names, which may be longer than an index takes.
CREATE TABLE place(place_id int PRIMARY KEY GENERATED ALWAYS AS IDENTITY, hash uuid NOT NULL UNIQUE,
  type text COLLATE "C" NOT NULL, namespace text COLLATE "C" NOT NULL);

-- The envelope, once per object. An id is unique whatever the kind. Lists of a kind read the index of both in order.
-- session_id is the first session that the object had a version in; further ones stand in member. A filesystem's binding
-- is its place and path, others stand there as JSON.
CREATE TABLE object(oid int PRIMARY KEY WITH (fillfactor = 100) GENERATED ALWAYS AS IDENTITY, kind_id int NOT NULL, session_id int, place_id int,
  id text COLLATE "C" NOT NULL, path text COLLATE "C", binding text,
  UNIQUE(kind_id, id), EXCLUDE USING hash (id WITH =), CHECK((place_id IS NULL) = (path IS NULL)));
CREATE INDEX object_by_session ON object(session_id) WHERE session_id IS NOT NULL;
CREATE INDEX object_by_path ON object(place_id, left(path, 500)) WHERE place_id IS NOT NULL;
CREATE TABLE member(session_id int NOT NULL, oid int NOT NULL, PRIMARY KEY(session_id, oid));

-- Content once per SHA-256; enc says how data holds it. It is compressed before it comes here.
CREATE TABLE blob(bid int PRIMARY KEY WITH (fillfactor = 100) GENERATED ALWAYS AS IDENTITY, size int NOT NULL, enc smallint NOT NULL,
  hash bytea NOT NULL CHECK(octet_length(hash) = 32), data bytea NOT NULL, EXCLUDE USING hash (hash WITH =));
ALTER TABLE blob ALTER data SET STORAGE EXTERNAL;

CREATE TABLE erasure(tx_id int PRIMARY KEY, reason text NOT NULL);

-- One version of one object, the nth that was written. valid_from is NULL where it is the time of its transaction, as it mostly
-- is. bid is NULL for null content. mark is of the source's own hash, which content_hash does not cover. payload has the other
-- mutable fields; an erased version keeps its stamp and has none.
CREATE TABLE version(oid int NOT NULL, tx_id int NOT NULL, valid_from bigint, bid int, erased int,
  n int NOT NULL CHECK(n > 0), session_id int, enc smallint NOT NULL, mark uuid,
  content_hash bytea NOT NULL CHECK(octet_length(content_hash) = 32), tool text COLLATE "C", payload bytea,
  CHECK((payload IS NULL) = (erased IS NOT NULL)));
ALTER TABLE version ALTER payload SET STORAGE EXTERNAL;
${versionIndexes}
CREATE INDEX version_by_blob ON version(bid) WHERE bid IS NOT NULL;

-- What a version is found by, where its type declares it: key is of the type and one key of its index entry. Only of versions
-- that hold or will hold. id is the object's, so that a list reads the index of both orders.
CREATE TABLE field(key uuid NOT NULL, newest bigint NOT NULL, oid int NOT NULL, n int NOT NULL, id text COLLATE "C" NOT NULL,
  PRIMARY KEY(oid, n, key));
CREATE INDEX field_by_id ON field(key, id);
CREATE INDEX field_by_newest ON field(key, newest DESC, id);

-- What was committed stays, also against SQL by mistake. Erasure is the exception.
CREATE FUNCTION keep() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'TRUNCATE' AND current_setting('cm.erasing', true) = 'yes' THEN RETURN NULL; END IF;
  RAISE EXCEPTION 'what was committed is append-only';
END $$;
CREATE TRIGGER tx_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON tx EXECUTE FUNCTION keep();
CREATE TRIGGER kind_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON kind EXECUTE FUNCTION keep();
CREATE TRIGGER object_kept BEFORE DELETE OR TRUNCATE ON object EXECUTE FUNCTION keep();
CREATE TRIGGER object_fixed BEFORE UPDATE OF oid, kind_id, id ON object EXECUTE FUNCTION keep();
CREATE TRIGGER blob_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON blob EXECUTE FUNCTION keep();
CREATE TRIGGER version_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON version EXECUTE FUNCTION keep();
CREATE TRIGGER erasure_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON erasure EXECUTE FUNCTION keep();
`;
