/** The server-sent events received so far. */
export interface EventStream<T> {
  readonly events: readonly T[]
  /** True once the server has ended the stream. */
  ended(): boolean
  close(): void
}

/** Opens a streaming call with a session, as a page does. */
export async function openEventStream<T>(
  as: { readonly token: string; readonly url: string },
  path: string,
): Promise<EventStream<T>> {
  const stop = new AbortController()
  const response = await fetch(as.url + path, {
    headers: { authorization: `Bearer ${as.token}` },
    signal: stop.signal,
  })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  const events: T[] = []
  let ended = false
  void (async () => {
    let text = ''
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk
      const parts = text.split('\n\n')
      text = parts.pop()!
      for (const part of parts) {
        if (!part.startsWith('data: ')) continue
        events.push(JSON.parse(part.slice(6)) as T)
      }
    }
    ended = true
  })().catch(() => {})
  return { events, ended: () => ended, close: () => stop.abort() }
}
