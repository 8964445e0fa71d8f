import { useEffect, useEffectEvent } from 'react'
import { pauseAfter } from './backoff.ts'
import { connection } from './connection.ts'
import { REFUSED_MS, refused } from './refusals.ts'

const POLL_MS = 10_000
/** Silence after which a stream counts as lost, in ms. The server sends beats more often. */
const SILENCE_MS = 5_000
const CHECK_MS = 1_000

interface EventStream<T> {
  readonly url: string | null
  readonly onEvent: (event: T) => void
  /**
   * Fetches the full state. Called when the stream is lost, every 10 s until it is restored, and when it is restored.
   */
  readonly poll: () => void
}

interface Listener {
  receive(event: unknown): void
  fetchAll(): void
}

/** Open streams. Listeners of one address share a connection, because browsers limit connections per server. */
const streams = new Map<string, { readonly listeners: Set<Listener>; readonly close: () => void }>()

/** Returns the function that stops listening. */
function listen(url: string, listener: Listener): () => void {
  const listeners = streams.get(url)?.listeners ?? new Set()
  listeners.add(listener)
  if (!streams.has(url)) {
    const each = (call: (listener: Listener) => void) => listeners.forEach(call)
    const close = openStream(url, {
      receive: (event) => each((one) => one.receive(event)),
      fetchAll: () => each((one) => one.fetchAll()),
    })
    streams.set(url, { listeners, close })
  }
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    streams.get(url)!.close()
    streams.delete(url)
  }
}

/**
 * Listens to a stream of server-sent events. While the stream is lost: reports it to `connection`, polls, and
 * reconnects with exponential backoff and jitter, after a refusal not within 15 s. The session cookie authenticates the
 * stream.
 */
export function useEventStream<T>({ url, onEvent, poll }: EventStream<T>): void {
  const receive = useEffectEvent(onEvent)
  const fetchAll = useEffectEvent(poll)

  useEffect(
    () =>
      url === null ? undefined : listen(url, { receive: (event) => receive(event as T), fetchAll: () => fetchAll() }),
    [url],
  )
}

/** Opens a stream. Returns the function that closes it. */
function openStream(url: string, { receive, fetchAll }: Listener): () => void {
  const channel = Symbol(url)
  let source: EventSource | null = null
  let retry: ReturnType<typeof setTimeout> | undefined
  let isBroken = false
  let failures = 0
  let lastEventAt = Date.now()
  const polling = setInterval(() => {
    if (isBroken) fetchAll()
  }, POLL_MS)
  const checking = setInterval(() => {
    if (source !== null && Date.now() - lastEventAt > SILENCE_MS) lose(lastEventAt)
  }, CHECK_MS)

  const noteEvent = () => {
    lastEventAt = Date.now()
  }
  function lose(since: number) {
    // The browser gives up a stream only after another status than 200.
    const wasRefused = source?.readyState === EventSource.CLOSED
    if (wasRefused) refused.note(url, null)
    source?.close()
    source = null
    if (!isBroken) fetchAll()
    isBroken = true
    connection.lose(channel, since)
    retry = setTimeout(open, Math.max(pauseAfter(failures++), wasRefused ? REFUSED_MS : 0))
  }
  /** Opens the stream, at once unless the portal refused it shortly before. */
  function begin() {
    retry = setTimeout(open, Math.max(0, (refused.find(url)?.until ?? 0) - Date.now()))
  }
  function open() {
    noteEvent()
    source = new EventSource(url)
    source.addEventListener('open', () => {
      noteEvent()
      // No event reported the changes during the outage.
      if (isBroken) fetchAll()
      isBroken = false
      failures = 0
      connection.restore(channel)
    })
    source.addEventListener('beat', noteEvent)
    source.addEventListener('message', (event: MessageEvent<string>) => {
      noteEvent()
      receive(JSON.parse(event.data))
    })
    source.addEventListener('error', () => lose(Date.now()))
  }
  // Reconnects without waiting for the backoff when the browser is online again.
  const reconnectNow = () => {
    if (source !== null) return
    clearTimeout(retry)
    failures = 0
    begin()
  }
  addEventListener('online', reconnectNow)
  begin()
  return () => {
    removeEventListener('online', reconnectNow)
    clearInterval(polling)
    clearInterval(checking)
    clearTimeout(retry)
    source?.close()
    connection.restore(channel)
  }
}
