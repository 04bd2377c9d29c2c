(ns cm.xtdb.door.digits
  "Numbers too long to be read. Making a number of its digits takes time by the square of their count, and no interrupt
  reaches it: a million digits hold a thread for half a minute, ten million for an hour."
  (:require [cm.xtdb.door.faults :as faults]))

(set! *warn-on-reflection* true)

(def ^:private characters-max 1000)

(defn- refused []
  (faults/illegal :number-too-long (str "A number has more than " characters-max " characters")))

(defn- blank? [^Character c]
  (let [c (char c)]
    (or (Character/isWhitespace c) (= \, c))))

(defn- ends-token?
  "Whether EDN's reader ends a number or a word before this character."
  [c]
  (or (blank? c)
      (case (char c) (\" \; \^ \( \) \[ \] \{ \} \\) true false)))

(defn- token-end ^long [^String text ^long from]
  (let [end (.length text)]
    (loop [i from]
      (if (and (< i end) (not (ends-token? (.charAt text i)))) (recur (inc i)) i))))

(defn- string-end
  "Behind the quote that ends the string whose first character is at `from`."
  ^long [^String text ^long from]
  (let [end (.length text)]
    (loop [i from]
      (if (< i end)
        (case (.charAt text i)
          \" (inc i)
          \\ (recur (+ i 2))
          (recur (inc i)))
        i))))

(defn- line-end ^long [^String text ^long from]
  (let [i (.indexOf text "\n" (int from))]
    (if (neg? i) (.length text) i)))

(defn- digit-at? [^String text ^long i]
  (and (< i (.length text)) (Character/isDigit (.charAt text i))))

(defn- number-at?
  "As EDN's reader decides it."
  [^String text ^long i]
  (or (digit-at? text i)
      (and (case (.charAt text i) (\+ \-) true false) (digit-at? text (inc i)))))

(defn check-edn
  "Throws 400 when a text of EDN has a number that takes long to read. Digits within strings and names are none."
  [^String text]
  (let [end (.length text)]
    (loop [i 0]
      (when (< i end)
        (let [c (.charAt text i)]
          (cond
            (number-at? text i) (let [after (token-end text i)]
                                  (when (< (long characters-max) (- after i)) (throw (refused)))
                                  (recur after))
            (= \" c) (recur (string-end text (inc i)))
            (= \; c) (recur (line-end text i))
            ;; A character, whatever it is, and the rest of its name.
            (= \\ c) (recur (token-end text (min end (+ i 2))))
            ;; What is discarded is read first.
            (and (= \# c) (< (inc i) end) (= \_ (.charAt text (inc i)))) (recur (+ i 2))
            (ends-token? c) (recur (inc i))
            :else (recur (token-end text i))))))))

(def ^:private long-in-transit
  "A tagged integer or decimal, in either form of a tag, its characters as they are or escaped. A quote that a string
  begins with has no backslash before it."
  (let [tilde "(?:~|\\\\u007[eE])", hash "(?:#|\\\\u0023)", tag "(?:[inf]|\\\\u006[69eE])"]
    (re-pattern (str "(?<!\\\\)\"" tilde "(?:" tag "[^\"]{" characters-max "}|" hash tag "\")"))))

(defn check-transit
  "The same for a text of transit. Numbers without a tag are bounded by its reader of JSON."
  [text]
  (when (re-find long-in-transit text)
    (throw (refused))))
