(ns cm.xtdb.door.edn
  "EDN in and out. Read with XTDB's tags and no other, so that nothing in a text is evaluated;
  printed so that it can be read again, byte arrays and java.time included."
  (:require [clojure.edn :as edn]
            [cm.xtdb.door.faults :as faults]
            [xtdb.codec :as codec])
  (:import (java.io BufferedWriter OutputStream OutputStreamWriter PushbackReader StringReader Writer)
           (java.nio.charset StandardCharsets)
           (java.time Duration Instant LocalDate LocalDateTime LocalTime ZonedDateTime)))

(set! *warn-on-reflection* true)

(def media-type "application/edn")

(def ^:private readers
  {'crux/id codec/id-edn-reader
   'xtdb/id codec/id-edn-reader
   'crux/base64 codec/base64-reader
   'xtdb/base64 codec/base64-reader
   'xtdb/duration codec/duration-reader
   'xtdb/instant codec/instant-reader
   'xtdb/zdt codec/zdt-reader
   'xtdb/local-date codec/local-date-reader
   'xtdb/local-time codec/local-time-reader
   'xtdb/local-date-time codec/local-date-time-reader})

(defn- print-tagged [tag ->text]
  (fn [value ^Writer writer]
    (.write writer (str "#xtdb/" tag " \"" (->text value) "\""))))

(doseq [[type tag ->text] [[(Class/forName "[B") "base64" codec/base64-writer]
                           [Duration "duration" str]
                           [Instant "instant" str]
                           [ZonedDateTime "zdt" str]
                           [LocalDate "local-date" str]
                           [LocalTime "local-time" str]
                           [LocalDateTime "local-date-time" str]]]
  (.addMethod ^clojure.lang.MultiFn print-method type (print-tagged tag ->text)))

(defn parse
  "The first form of a text. `::incomplete` when the text ends too early; throws 400 for anything else."
  [^String text]
  (try
    (edn/read {:readers readers, :eof ::incomplete} (PushbackReader. (StringReader. text)))
    (catch StackOverflowError _
      (throw (faults/malformed media-type)))
    (catch Exception e
      ;; Upstream takes a text that breaks off in the middle for a body that is not there.
      (if (re-find #"^EOF" (str (ex-message e)))
        ::incomplete
        (throw (faults/malformed media-type))))))

(defn- writer ^Writer [^OutputStream out]
  (BufferedWriter. (OutputStreamWriter. out StandardCharsets/UTF_8) 16384))

(defn- print-to [value ^Writer writer]
  (binding [*print-length* nil
            *print-level* nil
            *print-namespace-maps* false
            *print-readably* true]
    (print-method value writer)))

(defn write
  "Prints a value."
  [value ^OutputStream out]
  (let [to (writer out)]
    (print-to value to)
    (.flush to)))

(defn rows-writer
  "{:open :row :close} to print a list row by row."
  [^OutputStream out]
  (let [to (writer out)
        first? (volatile! true)]
    {:open #(.write to "(")
     :row #(do (if @first? (vreset! first? false) (.write to " "))
               (print-to % to))
     :close #(do (.write to ")") (.flush to))}))
