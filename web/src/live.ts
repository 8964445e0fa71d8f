import { useEffect, useEffectEvent } from 'react'

const POLL_MS = 10_000
const RECONNECT_MAX_MS = 30_000

interface Live<T> {
  /** The address of the stream (`streamUrl`); null: nothing to listen to now. */
  readonly url: string | null
  /** A message of the stream, parsed. */
  readonly onEvent: (event: T) => void
  /** Asks for the whole again: as the stream breaks (why it did is in the answer), every 10 s until it is back, and then. */
  readonly poll: () => void
}

/**
 * Listens to a stream of server-sent events; while it is broken, polls, and tries the stream again with growing
 * pauses. The session's cookie identifies the listener.
 */
export function useLive<T>({ url, onEvent, poll }: Live<T>): void {
  const receive = useEffectEvent(onEvent)
  const ask = useEffectEvent(poll)

  useEffect(() => {
    if (url === null) return undefined
    let source: EventSource | null = null
    let retry: ReturnType<typeof setTimeout> | undefined
    let broken = false
    let failures = 0
    const polling = setInterval(() => {
      if (broken) ask()
    }, POLL_MS)

    const open = () => {
      source = new EventSource(url)
      source.addEventListener('open', () => {
        // What changed while nobody listened is in no event.
        if (broken) ask()
        broken = false
        failures = 0
      })
      source.addEventListener('message', (event: MessageEvent<string>) => receive(JSON.parse(event.data) as T))
      source.addEventListener('error', () => {
        source?.close()
        if (!broken) ask()
        broken = true
        retry = setTimeout(open, Math.min(1000 * 2 ** failures++, RECONNECT_MAX_MS))
      })
    }
    open()
    return () => {
      clearInterval(polling)
      clearTimeout(retry)
      source?.close()
    }
  }, [url])
}
