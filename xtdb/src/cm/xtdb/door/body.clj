(ns cm.xtdb.door.body
  "The body of a request, bounded."
  (:require [cm.xtdb.door.faults :as faults])
  (:import (java.io ByteArrayOutputStream InputStream)
           (org.eclipse.jetty.io Content$Source)
           (org.eclipse.jetty.server Request)))

(set! *warn-on-reflection* true)

(defn- too-large [bytes-max]
  (faults/refusal 413 {:error (str "The body is larger than " bytes-max " bytes, the limit of this node.")}
                  {"Connection" "close"}))

(defn read-bytes
  "All bytes of the body; 413 when they are more than the limit."
  ^bytes [^Request request bytes-max]
  (let [declared (.getLength request)]
    (when (< (long bytes-max) declared) (throw (too-large bytes-max)))
    (let [out (ByteArrayOutputStream. (int (max 1024 declared)))
          chunk (byte-array 16384)]
      (with-open [^InputStream in (Content$Source/asInputStream request)]
        (loop []
          (let [n (.read in chunk)]
            (when-not (neg? n)
              (when (< (long bytes-max) (+ (.size out) n)) (throw (too-large bytes-max)))
              (.write out chunk 0 n)
              (recur)))))
      (.toByteArray out))))
