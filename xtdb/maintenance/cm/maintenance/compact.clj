(ns cm.maintenance.compact
  "compact DIR [CHECKPOINTS]: what an evict leaves on disk goes for good."
  (:require [clojure.java.io :as io]
            [clojure.string :as str]
            [cm.maintenance.stores :as stores])
  (:import (java.io File)
           (org.rocksdb ColumnFamilyHandle CompactRangeOptions CompactRangeOptions$BottommostLevelCompaction RocksDB)))

(defn- rewrite!
  "Writes every live value anew; what was overwritten or deleted is not among them."
  [{:keys [^RocksDB db handles]}]
  (with-open [options (CompactRangeOptions.)]
    ;; Without force, RocksDB leaves the lowest level as it is, old values included.
    (.setBottommostLevelCompaction options CompactRangeOptions$BottommostLevelCompaction/kForce)
    (doseq [^ColumnFamilyHandle handle handles]
      (.compactRange db handle nil nil options))))

(defn- remove-index!
  "The index keeps long values even after an evict, and compaction does not help: they count as live."
  [folder]
  (let [index (stores/store-folder folder "indices")]
    (when (.exists index)
      (when (stores/store? index)
        (.close (stores/open index)))
      (stores/delete-tree! index)
      (println "indices: removed; the next start makes it again from log and documents"))))

(defn- remove-checkpoints! [checkpoints]
  (let [copies (filter #(str/starts-with? (.getName ^File %) "checkpoint-") (.listFiles (io/file checkpoints)))]
    (run! stores/delete-tree! copies)
    (println (str "checkpoints: removed " (count copies) " files and folders"))))

(defn -main [folder & [checkpoints]]
  (stores/require-data-folder! folder)
  ;; Both locks are held until the end: no node can start on the folder in between.
  (with-open [tx-log (stores/open (stores/store-folder folder "tx-log"))
              docs (stores/open (stores/store-folder folder "docs"))]
    (remove-index! folder)
    (when checkpoints (remove-checkpoints! checkpoints))
    (rewrite! docs)
    (rewrite! tx-log))
  ;; Closing is what unlinks the old files, so they are counted afterwards.
  (doseq [store ["docs" "tx-log"]]
    (println (str store ": compacted, " (stores/bytes-in (stores/store-folder folder store)) " bytes now")))
  (shutdown-agents))
