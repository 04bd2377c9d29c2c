(ns cm.xtdb.door.transit
  "transit+json in and out: read without tags of our own, written with the tags that upstream adds."
  (:require [cm.xtdb.door.digits :as digits]
            [cm.xtdb.door.faults :as faults]
            [cognitect.transit :as transit]
            [xtdb.codec :as codec])
  (:import (java.io ByteArrayInputStream OutputStream)
           (java.nio.charset StandardCharsets)
           (java.time Duration Instant LocalDate LocalDateTime LocalTime ZonedDateTime)
           (xtdb.codec EDNId Id)))

(set! *warn-on-reflection* true)

(def media-type "application/transit+json")

(defn- tagged-text [tag ->text]
  (transit/write-handler tag ->text))

(def ^:private write-handlers
  {Id (tagged-text "xtdb/oid" str)
   EDNId (tagged-text "xtdb/oid" #(str (.hex ^EDNId %)))
   (Class/forName "[B") (tagged-text "xtdb/base64" codec/base64-writer)
   Duration (tagged-text "xtdb/duration" str)
   Instant (tagged-text "xtdb/instant" str)
   ZonedDateTime (tagged-text "xtdb/zdt" str)
   LocalDate (tagged-text "xtdb/local-date" str)
   LocalTime (tagged-text "xtdb/local-time" str)
   LocalDateTime (tagged-text "xtdb/local-date-time" str)})

(def ^:private writer-options (delay {:handlers (transit/write-handler-map write-handlers)}))

(defn parse [^bytes body]
  (let [text (String. body StandardCharsets/UTF_8)]
    ;; No JSON in UTF-8 has one; in other encodings, which its reader would understand, a text has them everywhere.
    (when (<= 0 (.indexOf text 0))
      (throw (faults/malformed media-type)))
    (digits/check-transit text))
  (try
    (transit/read (transit/reader (ByteArrayInputStream. body) :json))
    (catch StackOverflowError _
      (throw (faults/malformed media-type)))
    (catch Exception _
      (throw (faults/malformed media-type)))))

(defn write
  "Writes a value. The library counts the members of a list first, so rows are all held; a fault is theirs, not its wrapper."
  [value ^OutputStream out]
  (try
    (transit/write (transit/writer out :json @writer-options) value)
    (catch RuntimeException e
      (throw (or (ex-cause e) e)))))
