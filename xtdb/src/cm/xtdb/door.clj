(ns cm.xtdb.door
  "An XTDB module that answers XTDB v1's HTTP requests, on Jetty."
  (:require [clojure.string :as str]
            [clojure.tools.logging :as log]
            [cm.xtdb.door.access :as access]
            [cm.xtdb.door.body :as body]
            [cm.xtdb.door.exchange :as exchange]
            [cm.xtdb.door.figures :as figures]
            [cm.xtdb.door.health :as health]
            [cm.xtdb.door.hang-up :as hang-up]
            [cm.xtdb.door.limits :as limits]
            [xtdb.system :as sys])
  (:import (java.io Closeable)
           (java.net BindException UnknownHostException)
           (java.util.concurrent Semaphore)
           (org.eclipse.jetty.server ConnectionFactory Handler$Abstract HttpConfiguration HttpConnectionFactory Server ServerConnector)
           (org.eclipse.jetty.server.handler ErrorHandler)
           (org.eclipse.jetty.util.thread QueuedThreadPool)))

(set! *warn-on-reflection* true)

(defn- cannot-start [sentence]
  (ex-info sentence {::cannot-start sentence}))

(defn- loopback? [host]
  (try
    (access/loopback? host)
    (catch UnknownHostException _
      (throw (cannot-start (str "host " host " has no address"))))))

(defn- check-options [{:keys [host allow-remote? query-engine any-function?]}]
  (when-not (or (loopback? host) allow-remote?)
    (throw (cannot-start (str "host " host " is reachable from other machines; give --allow-remote (:allow-remote? true) if that is meant"))))
  (when-not (or any-function? (:fn-allow-list query-engine))
    (throw (cannot-start (str "queries could call any function; set :fn-allow-list of :xtdb/query-engine "
                              "(or :any-function? true of the door if that is meant)")))))

(defn- check-names
  "XTDB ignores options that it does not know; a misspelt limit or token would be none."
  [options known]
  (when-let [unknown (seq (remove known (keys options)))]
    (throw (cannot-start (str "unknown option " (first (sort unknown)) " of the door")))))

(defn- cannot-bind
  "Why Jetty could not bind, in one sentence, or what it threw."
  [e {:keys [host port]}]
  (let [^Throwable bind (first (filter #(instance? BindException %) (take-while some? (iterate ex-cause e))))]
    (cond
      (nil? bind) e
      (re-find #"in use" (str (ex-message bind))) (cannot-start (str "port " port " of " host " is in use"))
      :else (cannot-start (str "port " port " of " host " cannot be bound: " (ex-message bind))))))

(defn- http-configuration ^HttpConfiguration [{:keys [request-header-bytes-max]}]
  (doto (HttpConfiguration.)
    (.setSendServerVersion false)
    (.setRequestHeaderSize request-header-bytes-max)))

(defn- start-server ^Server [{:keys [^String host port threads-max idle-ms-max] :as options} door]
  (let [server (Server. (doto (QueuedThreadPool. (int threads-max))
                          (.setName "door")
                          (.setStopTimeout 200)
                          (.setDaemon true)))
        connector (ServerConnector. server (int 1) (int 1)
                                    ^"[Lorg.eclipse.jetty.server.ConnectionFactory;"
                                    (into-array ConnectionFactory [(HttpConnectionFactory. (http-configuration options))]))]
    (doto connector
      (.setHost host)
      (.setPort (int port))
      (.setIdleTimeout (long idle-ms-max)))
    (doto server
      (.addConnector connector)
      (.setStopTimeout 0)
      ;; Pages that Jetty makes by itself say the status and nothing from inside.
      (.setErrorHandler (doto (ErrorHandler.) (.setShowStacks false) (.setShowCauses false)))
      (.setHandler (proxy [Handler$Abstract] []
                     (handle [request response callback]
                       (exchange/handle door request response callback)))))
    (try
      (.start server)
      (catch Exception e
        (.stop server)
        (throw (cannot-bind e options))))
    server))

(def overrun-exit-code
  "By which the launcher knows why the process ended."
  4)

(defn url
  "Where a started door answers."
  [{:keys [^Server server]}]
  (let [^ServerConnector connector (first (.getConnectors server))
        host (.getHost connector)]
    (str "http://" (if (str/includes? host ":") (str "[" host "]") host) ":" (.getLocalPort connector))))

(defrecord Door [^Server server ^Closeable watch bodies ^Closeable listener]
  Closeable
  (close [_]
    ;; No new connections; requests on old ones are refused from here on, those under way are ended.
    (run! #(.shutdown ^ServerConnector %) (.getConnectors server))
    (.close watch)
    (body/close bodies)
    (.close listener)
    (.stop server)))

(defn- end-process!
  "A thread that runs such a query is lost, and with it room for others. What was acknowledged is on disk."
  []
  (log/error "a query could not be ended; the process ends")
  (.halt (Runtime/getRuntime) overrun-exit-code))

(def ^:private arguments
  (merge {:host {:doc "Address to bind", :default "127.0.0.1", :spec ::sys/string}
          :port {:doc "Port, 0 for any free one", :default 3000, :spec ::sys/nat-int}
          :allow-remote? {:doc "Whether another address than loopback may be bound", :default false, :spec ::sys/boolean}
          :allowed-hosts {:doc "Further names of this node", :default [], :spec ::sys/string-list}
          :token {:doc "Bearer token that every request needs", :default nil, :spec ::sys/string}
          :transaction-functions? {:doc "Whether clients may store and call code", :default false, :spec ::sys/boolean}
          :folders {:doc "Folders whose disks must have room", :default [], :spec ::sys/string-list}
          :any-function? {:doc "Whether queries may run without an allow-list", :default false, :spec ::sys/boolean}}
         limits/arguments))

(defn ->server
  "Starts the door. Options besides the limits (limits.clj):
  :host and :port (0: any free one); :allow-remote? to bind anything but loopback; :allowed-hosts, further names that a
  Host header may hold when bound to loopback; :token, which every request must then bear; :transaction-functions?
  to let clients store and call code; :folders, whose disks must have room for the node to be ready; :any-function? to run without a function allow-list."
  {::sys/deps {:xtdb-node :xtdb/node, :query-engine :xtdb/query-engine}
   ::sys/args arguments}
  [{:keys [xtdb-node host token allowed-hosts waits-max readings-max overrun-ms-max] :as options}]
  (check-names options (into #{:xtdb-node :query-engine} (keys arguments)))
  (check-options options)
  (let [watch (hang-up/start overrun-ms-max end-process!)
        bodies (body/start)
        counters (figures/start)
        door {:node xtdb-node
              :options options
              :access {:token token
                       :local-only? (loopback? host)
                       :allowed-hosts (set (map str/lower-case allowed-hosts))}
              :watch watch
              :waits (Semaphore. (int waits-max))
              :readings (Semaphore. (int readings-max))
              :bodies bodies
              :counters counters}
        server (start-server options door)
        started (map->Door {:server server, :watch watch, :bodies bodies,
                            :listener (health/count-transactions xtdb-node counters)})]
    (log/info "answering on" (url started))
    started))
