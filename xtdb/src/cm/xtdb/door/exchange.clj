(ns cm.xtdb.door.exchange
  "One request and its answer."
  (:require [clojure.tools.logging :as log]
            [cm.xtdb.door.access :as access]
            [cm.xtdb.door.answer :as answer]
            [cm.xtdb.door.body :as body]
            [cm.xtdb.door.faults :as faults]
            [cm.xtdb.door.figures :as figures]
            [cm.xtdb.door.formats :as formats]
            [cm.xtdb.door.health :as health]
            [cm.xtdb.door.hang-up :as hang-up]
            [cm.xtdb.door.parameters :as parameters]
            [cm.xtdb.door.routes :as routes]
            [cm.xtdb.door.waiting :as waiting])
  (:import (com.sun.management ThreadMXBean)
           (java.lang.management ManagementFactory)
           (java.nio ByteBuffer)
           (java.nio.charset StandardCharsets)
           (java.util.concurrent Semaphore)
           (org.eclipse.jetty.io EndPoint SocketChannelEndPoint)
           (org.eclipse.jetty.server Request Response)
           (org.eclipse.jetty.util Callback)))

(set! *warn-on-reflection* true)

(defn- channel [^Request request]
  (let [^EndPoint end-point (-> request .getConnectionMetaData .getConnection .getEndPoint)]
    (when (instance? SocketChannelEndPoint end-point)
      (.getChannel ^SocketChannelEndPoint end-point))))

(defn- ended-answer
  "The answer for work that was ended from outside, or nil if it was not; ::gone if the client has hung up."
  [work]
  (case (hang-up/reason work)
    :time-limit (faults/timeout-answer)
    :closing (faults/exception-answer "java.lang.InterruptedException")
    :hang-up ::gone
    nil))

(defn- fault-answer [work path plain? thrown]
  (let [answer (or (ended-answer work) (faults/answer path thrown))]
    (cond-> answer (and plain? (map? answer)) (dissoc :camel?))))

(defn- allocated-bytes ^long []
  (let [^ThreadMXBean threads (ManagementFactory/getThreadMXBean)]
    (.getThreadAllocatedBytes threads (.getId (Thread/currentThread)))))

(defn- reading
  "Calls `f`, not for more requests at once than the door has room for. Counts the memory that it takes on the way: what
  a query walks over shows in it, whatever else the machine does."
  [{:keys [^Semaphore readings counters]} f]
  (when-not (.tryAcquire readings)
    (throw (faults/busy "Too many queries run; try again.")))
  (let [before (allocated-bytes)]
    (try
      (f)
      (finally
        (.release readings)
        (figures/add! counters "cm_xtdb_reading_allocated_bytes_total" nil (- (allocated-bytes) before))))))

(defn- question
  "What an endpoint gets to see of a request."
  [door ^Request request work body]
  (assoc (select-keys door [:node :options :waits])
         :work work
         :post? (= "POST" (.getMethod request))
         :parameters (parameters/parse (.getQuery (.getHttpURI request)))
         :content-type (.get (.getHeaders request) "Content-Type")
         :body body))

(defn- serve
  "Runs an endpoint and sends what it says."
  [door {:keys [endpoint awaits? reads?]} ^Request request work body send!]
  (let [asked (question door request work (body))
        answer #(send! (endpoint asked))]
    (when awaits? (waiting/await-parameters! asked))
    (if reads? (reading door answer) (answer))))

(defn- give-up
  "Answers a request that failed."
  [path work ^Response response ^Callback callback send! thrown]
  (if (::answer/broken-off (ex-data thrown))
    (log/warn "answer broken off:" path (or (hang-up/reason work) (.getName (class (ex-cause thrown)))))
    (let [fault (fault-answer work path (contains? routes/plain-error-keys path) thrown)]
      (cond
        (= ::gone fault) (do (log/info "client hung up:" path)
                             (.failed callback thrown))
        (.isCommitted response) (.failed callback thrown)
        :else (send! fault)))))

(defn- work-on
  "Serves a request under the eyes of the watch. `body` gives its body, or throws what was wrong with that. It was read to
  its end before: the watch reads from the connection, too."
  [{:keys [watch options counters] :as door} route ^Request request ^Response response ^Callback callback body]
  (let [path (.getPath (.getHttpURI request))
        begun (System/nanoTime)
        submits? (= "/_xtdb/submit-tx" path)
        type (formats/answer-type (.get (.getHeaders request) "Accept"))
        work (hang-up/begin! watch (when-not submits? (channel request)))
        done! #(when work (hang-up/forget! watch work))
        send! (fn [answer]
                (figures/add! counters "cm_xtdb_requests_total" {:path path, :status (:status answer)} 1)
                (answer/send! response answer type work (:held-answer-bytes-max options) done! callback))]
    (if (nil? work)
      (send! {:status 503, :headers {"Connection" "close"}, :body {:error "The node is stopping."}})
      (try
        ;; A commit that was begun is finished: its client would not know otherwise.
        (when submits? (hang-up/shield! work true))
        (serve door route request work body send!)
        (catch Throwable e
          (some->> (hang-up/reason work) name (hash-map :reason) (#(figures/add! counters "cm_xtdb_work_ended_total" % 1)))
          (give-up path work response callback send! e))
        (finally
          (done!)
          (figures/add! counters "cm_xtdb_request_seconds_total" {:path path} (- (System/nanoTime) begun)))))))

(defn- with-body
  "Serves a request once its body is there."
  [{:keys [options bodies] :as door} route ^Request request response callback]
  (let [work #(work-on door route request response callback %)]
    (if (= "POST" (.getMethod request))
      (body/receive! request options bodies work)
      (work (constantly nil)))))

(defn- send-text! [^Response response ^Callback callback {:keys [status text type]}]
  (.setStatus response (int status))
  (.put (.getHeaders response) "Content-Type" ^String (or type "text/plain; charset=utf-8"))
  (.put (.getHeaders response) "Cache-Control" "no-store")
  (.write response true (ByteBuffer/wrap (.getBytes ^String text StandardCharsets/UTF_8)) callback))

(defn- send-plain! [^Response response ^Callback callback ^Request request answer]
  (let [type (formats/answer-type (.get (.getHeaders request) "Accept"))]
    (answer/send! response answer type nil 65536 (fn []) callback)))

(defn handle
  "Answers a request. `door` is {:node :options :access :watch :waits :readings :bodies :counters}."
  [{:keys [access] :as door} ^Request request ^Response response ^Callback callback]
  (let [path (.getPath (.getHttpURI request))
        {:keys [endpoint open?]} (get health/endpoints path)
        route (when-not endpoint (routes/find-route path (.getMethod request)))
        refused (access/refused (cond-> access open? (dissoc :token)) (.getHeaders request))]
    (cond
      refused (send-plain! response callback request refused)
      (and endpoint (not (contains? #{"GET" "HEAD"} (.getMethod request))))
      (send-plain! response callback request {:status 405, :empty? true})
      endpoint (send-text! response callback (endpoint door))
      (= :no-path route) (send-plain! response callback request {:status 404, :empty? true})
      (= :no-method route) (send-plain! response callback request {:status 405, :empty? true})
      :else (with-body door route request response callback)))
  true)
