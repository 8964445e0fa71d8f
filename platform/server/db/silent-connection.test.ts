import { once } from 'node:events'
import { type AddressInfo, connect as dial, createServer, type Socket } from 'node:net'
import { sql } from 'kysely'
import { afterAll, expect, inject, test } from 'vitest'
import { until } from '../../test/until.ts'
import { connect } from './client.ts'
import { listen } from './listen.ts'

/**
 * A proxy in front of the database. It can stop forwarding on open connections without closing them, like a firewall
 * that drops the connections or a host that loses power.
 */
async function startProxy() {
  const path = `${new URL(inject('testCluster')).searchParams.get('host')}/.s.PGSQL.5432`
  const pairs = new Set<readonly [Socket, Socket]>()
  const server = createServer((client) => {
    const database = dial(path)
    pairs.add([client, database])
    client.pipe(database).pipe(client)
    client.on('error', () => database.destroy())
    database.on('error', () => client.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    connection: { host: '127.0.0.1', port, user: 'postgres', database: 'postgres' },
    silence() {
      for (const [client, database] of pairs) {
        client.unpipe()
        database.unpipe()
      }
    },
    close() {
      for (const sockets of pairs) for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

const proxy = await startProxy()
afterAll(() => proxy.close())

test('detects and replaces a silent connection for notifications', async () => {
  const events: string[] = []
  const listening = listen(
    proxy.connection,
    {
      channels: ['silence'],
      onNotification: (_channel, payload) => void events.push(payload),
      onConnect: () => void events.push('connected'),
      onLost: () => void events.push('lost'),
    },
    200,
  )
  const db = connect({ connectionString: inject('testCluster') }, { size: 1, as: 'owner' })
  const notify = (text: string) => sql`select pg_notify('silence', ${text})`.execute(db)
  const happens = (event: string) => until(event, async () => events.includes(event), Boolean, 5_000)
  try {
    await happens('connected')
    await notify('before')
    await happens('before')
    proxy.silence()
    await happens('lost')
    await until(
      'reconnected',
      async () => events.filter((event) => event === 'connected').length,
      (n) => n === 2,
      5_000,
    )
    await notify('after')
    await happens('after')
    expect(events).toEqual(['connected', 'before', 'lost', 'connected', 'after'])
  } finally {
    await listening.close()
    await db.destroy()
  }
})

test('fails a query on a silent connection after its time limit; the next query uses a new connection', async () => {
  const db = connect(proxy.connection, {
    size: 1,
    as: 'app',
    limits: { statement: 0.4, lock: 1, idleInTransaction: 1 },
  })
  try {
    expect((await sql`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }])
    proxy.silence()
    await expect(sql`select 2`.execute(db)).rejects.toThrow('Connection terminated')
    expect((await sql`select 3 as three`.execute(db)).rows).toEqual([{ three: 3 }])
  } finally {
    await db.destroy()
  }
})
