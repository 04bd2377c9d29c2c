(ns cm.xtdb.door.edn
  "EDN in and out. Read with XTDB's tags and no other, so that nothing in a text is evaluated;
  printed so that it can be read again."
  (:require [clojure.edn :as edn]
            [cm.xtdb.door.digits :as digits]
            [cm.xtdb.door.edn-print :as edn-print]
            [cm.xtdb.door.faults :as faults]
            [xtdb.codec :as codec])
  (:import (java.io BufferedWriter OutputStream OutputStreamWriter PushbackReader StringReader Writer)
           (java.nio.charset StandardCharsets)))

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

(defn parse
  "The first form of a text. `::incomplete` when the text ends too early; throws 400 for anything else."
  [^String text]
  (digits/check-edn text)
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

(defn- print-to [value ^Writer to]
  (binding [*print-length* nil
            *print-level* nil
            *print-namespace-maps* false
            *print-readably* true]
    (edn-print/print-to value to)))

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
