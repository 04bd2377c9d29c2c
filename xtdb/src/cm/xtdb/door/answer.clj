(ns cm.xtdb.door.answer
  "Sends an answer. It is held back until it is complete or too large to hold: a failure before that becomes an
  error status, after that a broken transfer. A client never gets a well-ended 200 for a query that failed."
  (:require [cm.xtdb.door.faults :as faults]
            [cm.xtdb.door.formats :as formats]
            [cm.xtdb.door.hang-up :as hang-up])
  (:import (java.io ByteArrayOutputStream Closeable IOException OutputStream)
           (java.nio ByteBuffer)
           (org.eclipse.jetty.http HttpFields$Mutable HttpHeader HttpVersion)
           (org.eclipse.jetty.io Content$Sink)
           (org.eclipse.jetty.server Response)
           (org.eclipse.jetty.util Callback)))

(set! *warn-on-reflection* true)

(defn- put-head! [^Response response {:keys [status headers]} content-type work]
  (.setStatus response (int status))
  (let [^HttpFields$Mutable fields (.getHeaders response)]
    (when content-type (.put fields HttpHeader/CONTENT_TYPE ^String content-type))
    (doseq [[^String k ^String v] headers] (.put fields k v))
    (when (and work (hang-up/close-after? work)) (.put fields HttpHeader/CONNECTION "close"))))

(defn- send-all! [^Response response answer content-type ^bytes body work ^Callback callback]
  (put-head! response answer content-type work)
  (.put ^HttpFields$Mutable (.getHeaders response) HttpHeader/CONTENT_LENGTH (long (alength body)))
  (.write response true (ByteBuffer/wrap body) callback))

(defn- held-output
  "An OutputStream that keeps up to `bytes-max` and from there on sends. `commit!` is called before the first byte is sent."
  ^OutputStream [^Response response ^ByteArrayOutputStream held bytes-max commit!]
  (let [bytes-max (long bytes-max)
        committed (volatile! false)
        send! (fn [^bytes b off len]
                (Content$Sink/write response false (ByteBuffer/wrap b (int off) (int len))))
        write! (fn [^bytes b off len]
                 (cond
                   @committed (send! b off len)
                   (<= (+ (.size held) (long len)) bytes-max) (.write held b (int off) (int len))
                   :else (do (commit!)
                             (vreset! committed true)
                             (send! (.toByteArray held) 0 (.size held))
                             (.reset held)
                             (send! b off len))))]
    (proxy [OutputStream] []
      (write
        ([b] (if (bytes? b)
               (write! b 0 (alength ^bytes b))
               (write! (byte-array [(unchecked-byte (int b))]) 0 1)))
        ([b off len] (write! b off len)))
      (flush [])
      (close []))))

(defn- finish-stream! [^Response response work ^Callback callback]
  (if (and work (hang-up/close-after? work))
    (let [end-point (-> response .getRequest .getConnectionMetaData .getConnection .getEndPoint)]
      (.write response true (ByteBuffer/allocate 0)
              (reify Callback
                (succeeded [_] (.close end-point) (.succeeded callback))
                (failed [_ e] (.failed callback e)))))
    (.write response true (ByteBuffer/allocate 0) callback)))

(defn- begin-stream!
  "Sends the head of an answer of unknown length. Always in chunks, also where the connection is closed afterwards:
  without them a client could not tell an answer that broke off from one that ended."
  [^Response response answer content-type work]
  (when-not (= HttpVersion/HTTP_1_1 (-> response .getRequest .getConnectionMetaData .getHttpVersion))
    (throw (faults/refusal 500 {:error "The answer is too large for HTTP/1.0."})))
  (put-head! response answer content-type work)
  (.put ^HttpFields$Mutable (.getHeaders response) HttpHeader/TRANSFER_ENCODING "chunked"))

(defn send!
  "Sends `answer` ({:status :headers, and what formats/write takes}) in the encoding `type`; always completes `callback`.
  A failure while the body is encoded and still held is thrown; later ones abort the connection.
  `done!` is called before the last bytes are given to the network: from there on the client may send its next request."
  [^Response response {:keys [cursor empty?] :as answer} type work bytes-max done! ^Callback callback]
  (if empty?
    (do (done!)
        (send-all! response answer nil (byte-array 0) work callback))
    (let [held (ByteArrayOutputStream. 1024)
          content-type (formats/content-types type)
          committed (volatile! false)
          out (held-output response held bytes-max
                           (fn []
                             (begin-stream! response answer content-type work)
                             (vreset! committed true)))]
      (try
        (with-open [^Closeable _ (or cursor (reify Closeable (close [_])))]
          (formats/write type answer out))
        (catch Throwable e
          (if @committed
            (do (done!)
                (.failed callback (IOException. "the answer broke off"))
                (throw (ex-info "answer broke off" {::broken-off true} e)))
            (throw e))))
      (done!)
      (if @committed
        (finish-stream! response work callback)
        (send-all! response answer content-type (.toByteArray held) work callback)))))
