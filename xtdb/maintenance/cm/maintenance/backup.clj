(ns cm.maintenance.backup
  "backup DIR TARGET: log and documents of a stopped node, from which everything else can be made again."
  (:require [clojure.java.io :as io]
            [cm.maintenance.stores :as stores])
  (:import (java.io File)
           (java.nio.file CopyOption Files StandardCopyOption)
           (org.rocksdb Checkpoint)))

(defn- copy-store! [{:keys [db]} ^File target]
  ;; RocksDB's own copy: complete, without the write-ahead log's loose ends, by hard links where the disk is the same.
  (with-open [copy (Checkpoint/create db)]
    (.createCheckpoint copy (str target))))

(defn -main [folder target]
  (stores/require-data-folder! folder)
  (let [^File target (io/file target)
        ^File part (io/file (str target ".part"))]
    (when (.exists target) (stores/refuse! (str target " exists already; name a new folder.")))
    (when (.exists part) (stores/delete-tree! part))
    (when-not (.mkdirs part) (stores/refuse! (str part " cannot be made; check the permissions of the folder above it.")))
    (with-open [tx-log (stores/open (stores/store-folder folder "tx-log"))
                docs (stores/open (stores/store-folder folder "docs"))]
      (copy-store! tx-log (io/file part "tx-log"))
      (copy-store! docs (io/file part "docs")))
    ;; Only a whole backup has the name that was asked for.
    (Files/move (.toPath part) (.toPath target) (into-array CopyOption [StandardCopyOption/ATOMIC_MOVE]))
    (println (str target ": log and documents copied, " (stores/bytes-in target) " bytes; start a node on it with --data")))
  (shutdown-agents))
