/**
 * Tables of schema version 1. Names, ids and paths are database text (`toDatabaseText`), ordered by their bytes; times are
 * milliseconds since the epoch; what is 128 bits of a SHA-256 is a uuid. Only the functions write here.
 */
export const tables1 = `
-- A committed transaction. Ids are dense from 1, and ids and times are taken under the namespace's lock: whoever sees an id
-- sees all before it, and times never run backwards. Of a commit with a request id its receipt is there: of each write the
-- version that it made, or the newest one with a minus sign.
CREATE TABLE tx(tx_id bigint PRIMARY KEY CHECK(tx_id > 0), ms bigint NOT NULL, request uuid, fingerprint uuid, results text);
CREATE UNIQUE INDEX tx_by_request ON tx(request) WHERE request IS NOT NULL;

CREATE TABLE kind(kind_id int PRIMARY KEY GENERATED ALWAYS AS IDENTITY, type text COLLATE "C" NOT NULL UNIQUE);
CREATE TABLE session(session_id int PRIMARY KEY GENERATED ALWAYS AS IDENTITY, name text COLLATE "C" NOT NULL UNIQUE);

-- A namespace of a kind of source; hash is of both names, which may be longer than an index takes.
CREATE TABLE place(place_id int PRIMARY KEY GENERATED ALWAYS AS IDENTITY, hash uuid NOT NULL UNIQUE,
  type text COLLATE "C" NOT NULL, namespace text COLLATE "C" NOT NULL);

-- The envelope, once per object. An id is unique whatever the kind. Lists of a kind read the index of both in order.
-- session_id is the first session that the object had a version in; further ones stand in member. A filesystem's binding
-- is its place and path, others stand there as JSON.
CREATE TABLE object(oid bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY, kind_id int NOT NULL, session_id int, place_id int,
  id text COLLATE "C" NOT NULL, path text COLLATE "C", binding text,
  UNIQUE(kind_id, id), EXCLUDE USING hash (id WITH =), CHECK((place_id IS NULL) = (path IS NULL)));
CREATE INDEX object_by_session ON object(session_id) WHERE session_id IS NOT NULL;
CREATE INDEX object_by_path ON object(place_id, left(path, 500)) WHERE place_id IS NOT NULL;
CREATE TABLE member(session_id int NOT NULL, oid bigint NOT NULL, PRIMARY KEY(session_id, oid));

-- Content once per SHA-256; enc says how data holds it. It is compressed before it comes here.
CREATE TABLE blob(bid bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY, size int NOT NULL, enc smallint NOT NULL,
  hash bytea NOT NULL UNIQUE CHECK(octet_length(hash) = 32), data bytea NOT NULL);
ALTER TABLE blob ALTER data SET STORAGE EXTERNAL;

CREATE TABLE erasure(tx_id bigint PRIMARY KEY, reason text NOT NULL);

-- One version of one object, the nth that was written: the key makes create-only and compare-and-set facts. bid is NULL for
-- null content. mark is of the source's own hash, which content_hash does not cover. payload has the other mutable fields;
-- an erased version keeps its stamp and has none.
CREATE TABLE version(oid bigint NOT NULL, tx_id bigint NOT NULL, valid_from bigint NOT NULL, bid bigint, erased bigint,
  n int NOT NULL CHECK(n > 0), session_id int, enc smallint NOT NULL, mark uuid,
  content_hash bytea NOT NULL CHECK(octet_length(content_hash) = 32), tool text COLLATE "C", payload bytea,
  PRIMARY KEY(oid, n), CHECK((payload IS NULL) = (erased IS NOT NULL)));
ALTER TABLE version ALTER payload SET STORAGE EXTERNAL;
-- Read from its end: current, as-of and history in one.
CREATE UNIQUE INDEX version_as_of ON version(oid, valid_from, tx_id);
CREATE INDEX version_by_blob ON version(bid) WHERE bid IS NOT NULL;

-- What a version is found by, where its type declares it: key is of the type and one key of its index entry. Only of versions
-- that hold or will hold. id is the object's, so that a list reads the index of both orders.
CREATE TABLE field(key uuid NOT NULL, newest bigint NOT NULL, oid bigint NOT NULL, n int NOT NULL, id text COLLATE "C" NOT NULL,
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
