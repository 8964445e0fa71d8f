import { useEffect, useEffectEvent } from 'react'
import { connection } from './connection.ts'

const POLL_MS = 10_000
const RECONNECT_MAX_MS = 30_000
/**
 * The server sends a beat more often than this: a line that is silent for longer is lost, whatever the browser says.
 */
const SILENCE_MS = 5_000
const LISTEN_MS = 1_000

interface EventStream<T> {
  /** The address of the stream (`streamUrl`); null: nothing to listen to now. */
  readonly url: string | null
  /** A message of the stream, parsed. */
  readonly onEvent: (event: T) => void
  /**
   * Asks for the whole again: when the stream is lost (the answer tells why), every 10 s until it is back, and then.
   */
  readonly poll: () => void
}

/**
 * Listens to a stream of server-sent events; while it is lost, tells the `connection`, polls, and tries the
 * stream again with growing pauses. The session's cookie identifies the listener.
 */
export function useEventStream<T>({ url, onEvent, poll }: EventStream<T>): void {
  const receive = useEffectEvent(onEvent)
  const ask = useEffectEvent(poll)

  useEffect(() => {
    if (url === null) return undefined
    const line = Symbol(url)
    let source: EventSource | null = null
    let retry: ReturnType<typeof setTimeout> | undefined
    let broken = false
    let failures = 0
    let heardAt = Date.now()
    const polling = setInterval(() => {
      if (broken) ask()
    }, POLL_MS)
    const listening = setInterval(() => {
      if (source !== null && Date.now() - heardAt > SILENCE_MS) lose(heardAt)
    }, LISTEN_MS)

    const hear = () => {
      heardAt = Date.now()
    }
    function lose(since: number) {
      source?.close()
      source = null
      if (!broken) ask()
      broken = true
      connection.lose(line, since)
      retry = setTimeout(open, Math.min(1000 * 2 ** failures++, RECONNECT_MAX_MS))
    }
    function open() {
      hear()
      source = new EventSource(url!)
      source.addEventListener('open', () => {
        hear()
        // Changes while nobody listened are in no event.
        if (broken) ask()
        broken = false
        failures = 0
        connection.restore(line)
      })
      source.addEventListener('beat', hear)
      source.addEventListener('message', (event: MessageEvent<string>) => {
        hear()
        receive(JSON.parse(event.data) as T)
      })
      source.addEventListener('error', () => lose(Date.now()))
    }
    // Back on line, the next try need not wait.
    const tryNow = () => {
      if (source !== null) return
      clearTimeout(retry)
      failures = 0
      open()
    }
    addEventListener('online', tryNow)
    open()
    return () => {
      removeEventListener('online', tryNow)
      clearInterval(polling)
      clearInterval(listening)
      clearTimeout(retry)
      source?.close()
      connection.restore(line)
    }
  }, [url])
}
