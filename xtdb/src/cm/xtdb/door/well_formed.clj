(ns cm.xtdb.door.well-formed
  "Text that UTF-8 cannot hold: a lone surrogate would be stored as a question mark, and nobody would be told."
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

(defn check
  "Throws 400 when a string anywhere in a value is not well-formed."
  [value]
  (cond
    (string? value)
    (when-not (well-formed? value)
      (throw (faults/illegal :ill-formed-text "A string holds a lone surrogate, which cannot be stored.")))
    (map? value) (run! (fn [[k v]] (check k) (check v)) value)
    (coll? value) (run! check value)))
