(ns cm.maintenance.stores
  "The RocksDB folders of a stopped node. Opening one takes its lock, so a node that runs is never disturbed."
  (:require [clojure.java.io :as io])
  (:import (java.io Closeable File)
           (java.util ArrayList)
           (org.rocksdb ColumnFamilyDescriptor ColumnFamilyHandle DBOptions Options RocksDB RocksDBException)))

(defn refuse!
  "Ends the task with one sentence for the user."
  [sentence]
  (println (str "refused: " sentence))
  (flush)
  (System/exit 1))

(defn store-folder ^File [folder store]
  (io/file folder store))

(defn store? [^File folder]
  (.isFile (io/file folder "CURRENT")))

(defn require-data-folder!
  "A folder given to --data has a log and documents; nothing else may be touched by mistake."
  [folder]
  (doseq [store ["tx-log" "docs"]]
    (when-not (store? (store-folder folder store))
      (refuse! (str folder " has no " store " of a node; name the folder given to --data.")))))

(defrecord Store [^RocksDB db handles]
  Closeable
  (close [_]
    (doseq [^ColumnFamilyHandle handle handles] (.close handle))
    (.close db)))

(defn open
  "Opens a store with all its column families. Refuses when a node, or another task, has it open."
  ^Closeable [^File folder]
  (RocksDB/loadLibrary)
  (try
    (let [families (with-open [options (Options.)]
                     (mapv #(ColumnFamilyDescriptor. %) (RocksDB/listColumnFamilies options (str folder))))
          handles (ArrayList.)]
      (with-open [options (DBOptions.)]
        (->Store (RocksDB/open options (str folder) families handles) handles)))
    (catch RocksDBException e
      (if (re-find #"lock" (str (.getMessage e)))
        (refuse! (str folder " is in use; stop the node first."))
        (refuse! (str folder " cannot be opened: " (.getMessage e)))))))

(defn bytes-in
  "The size of everything below a folder."
  [folder]
  (transduce (map #(.length ^File %)) + (filter #(.isFile ^File %) (file-seq (io/file folder)))))

(defn delete-tree! [^File folder]
  (doseq [^File file (reverse (file-seq folder))]
    (io/delete-file file)))
