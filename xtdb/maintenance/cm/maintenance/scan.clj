(ns cm.maintenance.scan
  "scan DIR TEXT...: which files of a node's folder hold a text. Tables are compressed, so grep would prove nothing."
  (:require [clojure.java.io :as io]
            [clojure.string :as str])
  (:import (java.io File)
           (java.nio.charset StandardCharsets)
           (java.nio.file Files)
           (org.rocksdb Options ReadOptions RocksDB SstFileReader)))

;; Bytes as characters of the same number: searching is then a question to String.
(defn- latin ^String [^bytes bytes]
  (String. bytes StandardCharsets/ISO_8859_1))

(defn- holds [needles ^String haystack]
  (filter (fn [[_ ^String bytes]] (.contains haystack bytes)) needles))

(defn- scan-table
  "Every entry of a table file, also those that a later one has overwritten. Yields {number-of-text count}."
  [^File file needles]
  (with-open [options (Options.) reader (SstFileReader. options)]
    (.open reader (.getPath file))
    (with-open [how (ReadOptions.) entries (.newIterator reader how)]
      (.seekToFirst entries)
      (loop [counts {}]
        (if (.isValid entries)
          (let [hits (holds needles (str (latin (.key entries)) "\n" (latin (.value entries))))]
            (.next entries)
            (recur (reduce (fn [sums [number _]] (update sums number (fnil inc 0))) counts hits)))
          counts)))))

(defn- scan-plain
  "Write-ahead logs and whatever else lies there are not compressed."
  [^File file needles]
  (into {} (map (fn [[number _]] [number 1])) (holds needles (latin (Files/readAllBytes (.toPath file))))))

(defn- scan-file [^File file needles]
  (if (str/ends-with? (.getName file) ".sst") (scan-table file needles) (scan-plain file needles)))

(defn -main [folder & texts]
  (RocksDB/loadLibrary)
  (let [needles (map-indexed (fn [i ^String text] [(inc i) (latin (.getBytes text StandardCharsets/UTF_8))]) texts)
        root (.toPath (io/file folder))
        files (sort (filter #(.isFile ^File %) (file-seq (io/file folder))))
        hits (for [^File file files
                   [number times] (sort (scan-file file needles))]
               (str (.relativize root (.toPath file)) ": text " number " in " times " of its entries"))]
    ;; The texts themselves are not repeated: the output may end in a log.
    (run! println hits)
    (println (str (count files) " files, " (if (seq hits) "found" "not found")))
    (flush)
    (shutdown-agents)
    (when (seq hits) (System/exit 3))))
