import type pg from 'pg'
import type { Connection } from './dial-options.ts'
import { dialOptionsOf } from './dial-options.ts'

export interface Listening {
  close(): Promise<void>
}

export interface Listener {
  readonly channels: readonly string[]
  readonly onNotification: (channel: string, payload: string) => void
  /** Also called after a reconnect, because notifications may have been missed. */
  readonly onConnect: () => void
  /** Called when the connection is lost. Notifications are missed until the next `onConnect`. */
  readonly onLost?: () => void
}

const RETRY_MS = 1_000

export function listen(connection: Connection, listener: Listener): Listening {
  const { Client, connection: address } = dialOptionsOf(connection)
  let closed = false
  let client: pg.Client | null = null
  let retry: NodeJS.Timeout | null = null

  const again = (broken: pg.Client) => {
    if (closed || client !== broken) return
    client = null
    listener.onLost?.()
    broken.end().catch(() => {})
    retry = setTimeout(begin, RETRY_MS)
  }
  const begin = () => {
    const mine = new Client({ ...address, connectionTimeoutMillis: 5_000, keepAlive: true })
    client = mine
    mine.on('error', () => again(mine))
    mine.on('end', () => again(mine))
    mine.on('notification', ({ channel, payload }) => listener.onNotification(channel, payload ?? ''))
    mine
      .connect()
      .then(() => mine.query(listener.channels.map((channel) => `listen ${channel}`).join('; ')))
      .then(() => listener.onConnect())
      .catch(() => again(mine))
  }
  begin()
  return {
    async close() {
      closed = true
      if (retry !== null) clearTimeout(retry)
      await client?.end().catch(() => {})
    },
  }
}

/** Listens to several channels on one connection. */
export function listenTogether(connection: Connection, listeners: readonly Listener[]): Listening {
  return listen(connection, {
    channels: [...new Set(listeners.flatMap(({ channels }) => channels))],
    onNotification(channel, payload) {
      for (const { channels, onNotification } of listeners)
        if (channels.includes(channel)) onNotification(channel, payload)
    },
    onConnect() {
      for (const { onConnect } of listeners) onConnect()
    },
    onLost() {
      for (const { onLost } of listeners) onLost?.()
    },
  })
}
