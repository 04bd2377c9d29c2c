(ns cm.bench.engine
  "What the engine needs by itself for transactions that others send through the door: a node in this JVM."
  (:require [clojure.edn :as edn]
            [clojure.java.io :as io]
            [xtdb.api :as xt]
            [xtdb.codec :as codec]))

(set! *warn-on-reflection* true)

(defn- commit!
  "Submits and waits, as a client does with two requests; milliseconds, reading the text included, as the door reads it."
  [node ^String text]
  (let [begun (System/nanoTime)
        {:keys [tx-ops]} (codec/read-edn-string-with-readers text)
        tx (xt/submit-tx node (mapv vec tx-ops))]
    (xt/await-tx node tx)
    (when-not (xt/tx-committed? node tx)
      (throw (ex-info "a transaction was not committed" {})))
    (/ (- (System/nanoTime) begun) 1e6)))

(defn -main
  "FILE has one transaction a line, as EDN; CONFIGURATION is that of a node, as EDN, whose door stays away. Prints the
  milliseconds of each transaction, one a line."
  [file configuration]
  (with-open [node (xt/start-node (dissoc (edn/read-string configuration) :cm.xtdb.door/server))
              lines (io/reader (io/file file))]
    (let [times (mapv #(commit! node %) (line-seq lines))]
      (run! #(println (format "ms %.4f" %)) times)))
  (shutdown-agents))
