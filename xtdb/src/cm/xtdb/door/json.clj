(ns cm.xtdb.door.json
  "JSON in and out, number types and all as upstream's: they decide content hashes."
  (:require [cm.xtdb.door.faults :as faults]
            [xtdb.codec :as codec]
            [xtdb.io :as xio])
  (:import (com.fasterxml.jackson.core JsonFactory JsonFactoryBuilder JsonGenerator JsonGenerator$Feature JsonParser JsonParser$NumberType
                                       JsonToken StreamReadConstraints)
           (java.io OutputStream)
           (java.math BigDecimal BigInteger)
           (java.text SimpleDateFormat)
           (java.time Duration Instant LocalDateTime LocalTime ZonedDateTime ZoneOffset)
           (java.time.format DateTimeFormatter)
           (java.util Collection Date Map)
           (clojure.lang BigInt Keyword Ratio)
           (xtdb.codec EDNId Id)))

(set! *warn-on-reflection* true)

(def media-type "application/json")

(def ^:private ^JsonFactory factory
  (-> (JsonFactoryBuilder.)
      (.streamReadConstraints (-> (StreamReadConstraints/builder)
                                  (.maxStringLength Integer/MAX_VALUE)
                                  (.maxNestingDepth 500)
                                  (.maxNumberLength 1000)
                                  (.build)))
      (.build)
      (.disable JsonGenerator$Feature/AUTO_CLOSE_JSON_CONTENT)
      (.disable JsonGenerator$Feature/AUTO_CLOSE_TARGET)))

(declare read-value)

(defn- read-object [^JsonParser parser ->key]
  (loop [object (transient {})]
    (if (identical? JsonToken/END_OBJECT (.nextToken parser))
      (persistent! object)
      (let [k (->key (.currentName parser))]
        (.nextToken parser)
        (recur (assoc! object k (read-value parser ->key)))))))

(defn- read-array [^JsonParser parser ->key]
  (loop [array (transient [])]
    (if (identical? JsonToken/END_ARRAY (.nextToken parser))
      (persistent! array)
      (recur (conj! array (read-value parser ->key))))))

(defn- read-value [^JsonParser parser ->key]
  (condp identical? (.currentToken parser)
    JsonToken/START_OBJECT (read-object parser ->key)
    JsonToken/START_ARRAY (read-array parser ->key)
    JsonToken/VALUE_STRING (.getText parser)
    ;; An Integer when it fits 32 bits, else a Long, else a BigInteger.
    JsonToken/VALUE_NUMBER_INT (.getNumberValue parser)
    JsonToken/VALUE_NUMBER_FLOAT (.getDoubleValue parser)
    JsonToken/VALUE_TRUE true
    JsonToken/VALUE_FALSE false
    JsonToken/VALUE_NULL nil
    (throw (faults/malformed media-type))))

(defn parse
  "One JSON value; keys of objects become keywords. Throws 400 when it cannot be read."
  [^String text]
  (try
    (with-open [parser (.createParser factory text)]
      (.nextToken parser)
      (read-value parser keyword))
    (catch java.io.IOException _
      (throw (faults/malformed media-type)))))

(def ^:private ^DateTimeFormatter to-the-second
  (.withZone (DateTimeFormatter/ofPattern "yyyy-MM-dd'T'HH:mm:ss'Z'") ZoneOffset/UTC))

(defn- date-key [^Date date]
  (.format (doto (SimpleDateFormat. "yyyy-MM-dd'T'HH:mm:ss.SSSXXX")
             (.setTimeZone (java.util.TimeZone/getTimeZone "UTC")))
           date))

(defn- ->key ^String [k]
  (cond
    (string? k) k
    (keyword? k) (.toString (.sym ^Keyword k))
    (instance? Date k) (.replace ^String (date-key k) "Z" "+00:00")
    :else (str k)))

(defprotocol Writable
  (write-to [value ^JsonGenerator generator]))

(extend-protocol Writable
  nil
  (write-to [_ ^JsonGenerator g] (.writeNull g))
  String
  (write-to [s ^JsonGenerator g] (.writeString g s))
  Keyword
  (write-to [k ^JsonGenerator g] (.writeString g (.toString (.sym k))))
  Boolean
  (write-to [b ^JsonGenerator g] (.writeBoolean g (.booleanValue b)))
  Long
  (write-to [n ^JsonGenerator g] (.writeNumber g (.longValue n)))
  Integer
  (write-to [n ^JsonGenerator g] (.writeNumber g (.longValue n)))
  Short
  (write-to [n ^JsonGenerator g] (.writeNumber g (.longValue n)))
  Byte
  (write-to [n ^JsonGenerator g] (.writeNumber g (.longValue n)))
  Double
  (write-to [n ^JsonGenerator g] (.writeNumber g (.doubleValue n)))
  Float
  (write-to [n ^JsonGenerator g] (.writeNumber g (.floatValue n)))
  BigInteger
  (write-to [n ^JsonGenerator g] (.writeNumber g n))
  BigInt
  (write-to [n ^JsonGenerator g] (.writeNumber g (.toBigInteger n)))
  BigDecimal
  (write-to [n ^JsonGenerator g] (.writeNumber g n))
  Ratio
  (write-to [n ^JsonGenerator g] (.writeNumber g (.doubleValue n)))
  Date
  (write-to [d ^JsonGenerator g] (.writeString g (.format to-the-second (Instant/ofEpochMilli (.getTime d)))))
  Duration
  ;; Seconds, with nine digits after the point.
  (write-to [d ^JsonGenerator g]
    (.writeNumber g (.add (BigDecimal/valueOf (.getSeconds d)) (BigDecimal/valueOf (long (.getNano d)) 9))))
  ZonedDateTime
  (write-to [t ^JsonGenerator g] (.writeString g (.format t DateTimeFormatter/ISO_OFFSET_DATE_TIME)))
  LocalDateTime
  (write-to [t ^JsonGenerator g] (.writeString g (.format t DateTimeFormatter/ISO_LOCAL_DATE_TIME)))
  LocalTime
  (write-to [t ^JsonGenerator g] (.writeString g (.format t DateTimeFormatter/ISO_LOCAL_TIME)))
  Id
  (write-to [id ^JsonGenerator g] (.writeString g (str id)))
  EDNId
  (write-to [id ^JsonGenerator g] (.writeString g (str (.hex id))))
  Map
  (write-to [m ^JsonGenerator g]
    (.writeStartObject g)
    (doseq [[k v] m]
      (.writeFieldName g (->key k))
      (write-to v g))
    (.writeEndObject g))
  Collection
  (write-to [coll ^JsonGenerator g]
    ;; The code of a transaction function is a list; as JSON it is its text.
    (if (and (list? coll) (contains? '#{fn fn*} (first coll)))
      (.writeString g (xio/pr-edn-str coll))
      (do (.writeStartArray g)
          (run! #(write-to % g) coll)
          (.writeEndArray g))))
  Object
  (write-to [value ^JsonGenerator g]
    (cond
      (bytes? value) (.writeString g (codec/base64-writer value))
      (.isArray (class value)) (write-to (vec value) g)
      :else (.writeString g (str value)))))

(defn camel-case
  "txId from :xtdb.api/tx-id: how upstream names the keys of an envelope."
  [k]
  (let [[word & words] (.split (name k) "-")]
    (apply str word (map #(str (.toUpperCase (subs % 0 1)) (subs % 1)) words))))

(def ^:private camel-case-once (memoize camel-case))

(defn- camel-keys [value]
  (if (map? value)
    (into {} (for [[k v] value] [(if (keyword? k) (camel-case-once k) k) v]))
    value))

(defn write
  "Writes a value. With `camel?` the outermost keys lose their namespace and become camelCase."
  [value ^OutputStream out camel?]
  (let [generator (.createGenerator factory out)]
    (write-to (if camel? (camel-keys value) value) generator)
    (.flush generator)))

(defn rows-writer
  "{:open :row :close} to write an array row by row."
  [^OutputStream out camel? ->row]
  (let [generator (.createGenerator factory out)]
    {:open #(.writeStartArray generator)
     :row #(write-to (cond-> (->row %) camel? camel-keys) generator)
     :close #(do (.writeEndArray generator) (.flush generator))}))
