import pg from 'pg'
import type { Connection } from './client.ts'

export interface Listening {
  close(): Promise<void>
}

export interface Listener {
  readonly channels: readonly string[]
  readonly onNotification: (channel: string, payload: string) => void
  /** Called after each connection. After a reconnect, notifications may have been missed. */
  readonly onConnect: () => void
  /** Called when the connection is lost. Notifications are missed until the next `onConnect`. */
  readonly onLost?: () => void
}

const RETRY_MS = 1_000
/**
 * Milliseconds between two queries that check the connection. No error is reported if a host loses power or a firewall
 * drops the connection.
 */
const CHECK_MS = 10_000
/** Milliseconds in which the database must answer a query. */
const ANSWER_MS = 5_000

export function listen(connection: Connection, listener: Listener, checkMs = CHECK_MS): Listening {
  let closed = false
  let client: pg.Client | null = null
  let timer: NodeJS.Timeout | undefined

  const again = (broken: pg.Client) => {
    if (closed || client !== broken) return
    client = null
    listener.onLost?.()
    broken.end().catch(() => {})
    clearTimeout(timer)
    timer = setTimeout(begin, RETRY_MS)
  }
  const check = (checkedClient: pg.Client) => {
    timer = setTimeout(() => {
      if (client !== checkedClient) return
      checkedClient.query('select').then(
        () => check(checkedClient),
        () => again(checkedClient),
      )
    }, checkMs)
  }
  const begin = () => {
    const newClient = new pg.Client({
      ...connection,
      connectionTimeoutMillis: 5_000,
      query_timeout: Math.min(ANSWER_MS, checkMs),
      keepAlive: true,
    })
    client = newClient
    newClient.on('error', () => again(newClient))
    newClient.on('end', () => again(newClient))
    newClient.on('notification', ({ channel, payload }) => listener.onNotification(channel, payload ?? ''))
    newClient
      .connect()
      .then(() => newClient.query(listener.channels.map((channel) => `listen ${channel}`).join('; ')))
      .then(() => {
        listener.onConnect()
        check(newClient)
      })
      .catch(() => again(newClient))
  }
  begin()
  return {
    async close() {
      closed = true
      clearTimeout(timer)
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
