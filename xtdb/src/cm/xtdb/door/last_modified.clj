(ns cm.xtdb.door.last-modified
  (:import (java.time ZoneOffset)
           (java.time.format DateTimeFormatter)
           (java.util Date Locale)))

(set! *warn-on-reflection* true)

(def ^:private ^DateTimeFormatter http-date
  (.withZone (DateTimeFormatter/ofPattern "EEE, dd MMM yyyy HH:mm:ss 'GMT'" Locale/US) ZoneOffset/UTC))

(defn stamp
  "Adds last-modified, to the second, where upstream has it."
  [answer ^Date tx-time]
  (cond-> answer
    tx-time (assoc-in [:headers "Last-Modified"] (.format http-date (.toInstant tx-time)))))
