(ns cm.xtdb.door.figures
  "What the door counts, and how it is printed for Prometheus (text format 0.0.4)."
  (:require [clojure.string :as str])
  (:import (java.util.concurrent ConcurrentHashMap)
           (java.util.concurrent.atomic LongAdder)
           (java.util.function Function)))

(set! *warn-on-reflection* true)

(defn start [] (ConcurrentHashMap.))

(defn add!
  "Adds to a counter. `labels` is a map of few, known values: each makes a line of its own for ever."
  [^ConcurrentHashMap counters name labels ^long n]
  (let [^LongAdder adder (.computeIfAbsent counters [name labels] (reify Function (apply [_ _] (LongAdder.))))]
    (.add adder n)))

(defn counted
  "[[name labels n] ..] of all counters."
  [^ConcurrentHashMap counters]
  (for [[[name labels] ^LongAdder adder] counters] [name labels (.sum adder)]))

(defn- escaped [text]
  (-> (str text) (str/replace "\\" "\\\\") (str/replace "\"" "\\\"") (str/replace "\n" "\\n")))

(defn- label-text [labels]
  (when (seq labels)
    (str "{" (str/join "," (for [[k v] (sort-by key labels)] (str (name k) "=\"" (escaped v) "\""))) "}")))

(defn text
  "The lines. `families` is {name {:type :help}}; `samples` are [name labels value]. What has no family is left out."
  [families samples]
  (let [by-name (group-by first samples)]
    (str/join
     (for [[name {:keys [type help]}] (sort-by key families)
           :let [of (sort-by #(str (second %)) (by-name name))]
           :when (seq of)]
       (str "# HELP " name " " help "\n# TYPE " name " " type "\n"
            (str/join (for [[_ labels value] of] (str name (label-text labels) " " value "\n"))))))))
