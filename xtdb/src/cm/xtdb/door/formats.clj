(ns cm.xtdb.door.formats
  "Which of the three encodings a request speaks, and which one its answer."
  (:require [clojure.string :as str]
            [cm.xtdb.door.edn :as edn]
            [cm.xtdb.door.faults :as faults]
            [cm.xtdb.door.json :as json]
            [cm.xtdb.door.transit :as transit])
  (:import (java.io OutputStream)
           (java.nio ByteBuffer)
           (java.nio.charset CharacterCodingException StandardCharsets)
           (java.util Iterator)))

(set! *warn-on-reflection* true)

(def ^:private media-types #{edn/media-type json/media-type transit/media-type})

(defn media-type
  "The media type of a header value, without its parameters."
  [^String header]
  (some-> header (str/split #";") first str/trim str/lower-case))

(defn- quality [^String accepted]
  (or (some-> (re-find #";\s*q=([0-9.]+)" accepted) second parse-double) 1.0))

(defn answer-type
  "The media type of the answer: the best of Accept, EDN when there is none that we speak. Never 406, as upstream."
  [^String accept]
  (or (->> (str/split (or accept "") #",")
           (sort-by (comp - quality))
           (some (comp media-types media-type)))
      edn/media-type))

(def content-types
  {edn/media-type "application/edn; charset=utf-8"
   json/media-type "application/json;charset=utf-8"
   transit/media-type "application/transit+json; charset=utf-8"})

(defn- each-row
  "Writes the rows of a cursor one by one, so that none is kept."
  [^Iterator cursor {:keys [open row close]}]
  (open)
  (while (.hasNext cursor)
    (when (Thread/interrupted) (throw (InterruptedException.)))
    (row (.next cursor)))
  (close))

(defn write
  "Encodes an answer ({:body :camel?} or {:cursor :camel? :json-row}) into `out`. Rows are encoded as they come."
  [type {:keys [body cursor camel? json-row]} ^OutputStream out]
  (condp = type
    json/media-type (if cursor
                      (each-row cursor (json/rows-writer out camel? (or json-row identity)))
                      (json/write body out camel?))
    transit/media-type (transit/write (if cursor (or (iterator-seq cursor) ()) body) out)
    (if cursor
      (each-row cursor (edn/rows-writer out))
      (edn/write body out))))

(defn- text
  "Strictly: bytes that are no UTF-8 would otherwise be stored as U+FFFD, and a hash of the text no longer match."
  [^bytes body type]
  (try
    (str (.decode (.newDecoder StandardCharsets/UTF_8) (ByteBuffer/wrap body)))
    (catch CharacterCodingException _
      (throw (faults/malformed type)))))

(defn parse
  "The value of a request body, or nil when there is none that can be understood. `allowed` is a set of media types."
  [content-type ^bytes body allowed]
  (let [type (media-type content-type)]
    (when (and (contains? allowed type) (pos? (alength body)))
      (condp = type
        json/media-type (json/parse (text body type))
        transit/media-type (transit/parse body)
        (let [value (edn/parse (text body type))]
          (when-not (= ::edn/incomplete value) value))))))
