;; clojure.main compile-namespaces.clj CLASSES JAR EXTRA NAMESPACE...
;; Compiles namespaces into the folder CLASSES (which must be on the class path) and packs it, together with the files of
;; the folder EXTRA ("-" for none), into JAR.
(require '[clojure.java.io :as io])
(import '(java.io File) '(java.util.zip ZipEntry ZipOutputStream))

(let [[classes jar extra & namespaces] *command-line-args*]
  (binding [*compile-path* classes]
    (run! (comp compile symbol) namespaces))
  (with-open [out (ZipOutputStream. (io/output-stream jar))]
    (doseq [root (cond-> [classes] (not= "-" extra) (conj extra))
            ^File file (sort (file-seq (io/file root)))
            :when (.isFile file)]
      (let [path (.relativize (.toPath (io/file root)) (.toPath file))]
        (.putNextEntry out (ZipEntry. (.replace (str path) File/separator "/")))
        (io/copy file out)
        (.closeEntry out)))))
(shutdown-agents)
