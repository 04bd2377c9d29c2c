(ns cm.xtdb.door.storable
  "Values that must not reach the log: text that UTF-8 cannot hold (a lone surrogate would silently become a question
  mark) and values so deep that indexing them exhausts the stack, which stops the node's ingester for good."
  (:require [cm.xtdb.door.faults :as faults]))

(set! *warn-on-reflection* true)

(defn- well-formed? [^String text]
  (let [end (.length text)]
    (loop [i 0]
      (if (< i end)
        (let [c (.charAt text i)]
          (cond
            (not (Character/isSurrogate c)) (recur (inc i))
            (and (Character/isHighSurrogate c) (< (inc i) end) (Character/isLowSurrogate (.charAt text (inc i)))) (recur (+ i 2))
            :else false))
        true))))

(defn- check-text [^String text]
  (when-not (well-formed? text)
    (throw (faults/illegal :ill-formed-text "A string holds a lone surrogate, which cannot be stored"))))

(defn check
  "Throws 400 when a value holds something that must not be stored. `depth` is how deep it may nest."
  [value ^long depth]
  (cond
    (string? value) (check-text value)
    (ident? value) (check-text (str value))
    (neg? depth) (throw (faults/illegal :nested-too-deep "A value is nested too deep to be indexed"))
    (map? value) (reduce-kv (fn [_ k v] (check k (dec depth)) (check v (dec depth))) nil value)
    (coll? value) (reduce (fn [_ v] (check v (dec depth))) nil value)))
