import pg from 'pg'
import { type Host, HOST_TIMEOUT_MS, hostFinder } from './find-host.ts'
import { hostsIn } from './hosts.ts'

export interface Connection {
  readonly connectionString?: string
  readonly host?: string
  readonly port?: number
  readonly user?: string
  readonly database?: string
  readonly password?: string
}

export interface DialOptions {
  readonly Client: typeof pg.Client
  readonly connection: Connection
  readonly findMillis: number
}

/**
 * Returns the options of the connection. The driver supports a single host only. With several hosts, or if the host
 * must accept writes, each new client searches for a host.
 */
export function dialOptionsOf(connection: Connection): DialOptions {
  const { connectionString } = connection
  const hosts = hostsIn(connectionString ?? '')
  if (connectionString === undefined || (hosts.urls.length === 1 && hosts.attributes === null)) {
    return { Client: pg.Client, connection, findMillis: 0 }
  }
  return {
    Client: clientClassFor(hostFinder(hosts)),
    connection: { ...connection, connectionString: hosts.urls[0]! },
    findMillis: hosts.urls.length * HOST_TIMEOUT_MS * 2,
  }
}

type Connected = ((error: Error) => void) | ((error: null, client: pg.Client) => void)

function clientClassFor(find: () => Promise<Host>): typeof pg.Client {
  return class extends pg.Client {
    #ended = false

    override connect(): Promise<pg.Client>
    override connect(connected: Connected): void
    override connect(connected?: Connected): Promise<pg.Client> | void {
      const client = this.#find()
      if (connected === undefined) return client
      const call = connected as (error: Error | null, client?: pg.Client) => void
      client.then((found) => call(null, found), call)
    }

    override end(): Promise<void>
    override end(ended: (error: Error) => void): void
    override end(ended?: (error: Error) => void): Promise<void> | void {
      this.#ended = true
      return ended === undefined ? super.end() : super.end(ended)
    }

    async #find(): Promise<pg.Client> {
      const { host, port } = await find()
      if (this.#ended) throw new Error('Connection terminated')
      this.host = host
      this.port = port
      return super.connect()
    }
  }
}
