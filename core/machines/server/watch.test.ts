/** @module-tag full */
import { connect } from 'node:net'
import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import type { Machine } from '../contract/machine.ts'
import type { UserId } from '@trainyard/platform/contract/words/ids.ts'
import { OPEN_STREAMS_PER_USER } from '@trainyard/platform/contract/words/limits.ts'
import { machinesOf, order, people } from '@trainyard/platform/test/orders.ts'
import { untilWaitingForLock } from '@trainyard/platform/test/lock-waits.ts'
import { until } from '@trainyard/platform/test/until.ts'
import { sharedEnvironment } from '@trainyard/platform/test/shared.ts'
import { hashToken } from '@trainyard/platform/server/core/tokens.ts'
import { mayWatch, watchChanges } from './watch.ts'

const env = await sharedEnvironment()
const acme = await env.organisation('Acme Learning')
const admin = await env.signIn('admin', 'admin@acme.test', acme)
await admin('POST', '/azure/machines', order('Watched', people(3)))
const stop = new AbortController()

describe('a screen that watches a training', () => {
  afterAll(async () => {
    stop.abort()
  })

  async function watch(as: { token: string; url: string }, training: string): Promise<Machine[][]> {
    const response = await fetch(`${as.url}/azure/machines/events?trainingName=${training}`, {
      headers: { authorization: `Bearer ${as.token}` },
      signal: stop.signal,
    })
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    const batches: Machine[][] = []
    void (async () => {
      let text = ''
      for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
        text += chunk
        const events = text.split('\n\n')
        text = events.pop()!
        for (const event of events)
          if (event.startsWith('data: ')) batches.push(JSON.parse(event.slice(6)) as Machine[])
      }
    })().catch(() => {})
    return batches
  }

  test('receives everything first and then the changes; a learner receives only own machines', async () => {
    const adminStream = await watch(await env.credentials('admin@acme.test'), 'Watched')
    const learnerStream = await watch(await env.credentials('learner1@acme.test'), 'Watched')
    await until(
      'the first batch',
      async () => [adminStream.length, learnerStream.length],
      ([a, b]) => a! > 0 && b! > 0,
    )
    expect(adminStream[0]!.map(({ status }) => status)).toEqual(['Creating', 'Creating', 'Creating'])
    await env.worker()
    const latest = () => {
      const machines = new Map(adminStream.flat().map((machine) => [machine.name, machine]))
      return [...machines.values()]
    }
    const seen = await until(
      'all run, with their addresses',
      async () => latest(),
      (machines) => machines.every((machine) => machine.status === 'Running' && machine.publicIp !== null),
      30_000,
    )
    // The used minutes increase while the machines run.
    const withoutUsage = (machines: readonly Machine[]) => machines.map((machine) => ({ ...machine, quota: null }))
    expect(withoutUsage(seen)).toEqual(withoutUsage(await machinesOf(admin, 'Watched')))
    expect(new Set(learnerStream.flat().map(({ email }) => email))).toEqual(new Set(['learner1@acme.test']))
  })

  test('receives a heartbeat while nothing changes, before the screen considers the connection dead', async () => {
    const { token, url } = await env.credentials('admin@acme.test')
    const response = await fetch(`${url}/azure/machines/events?trainingName=Watched`, {
      headers: { authorization: `Bearer ${token}` },
      signal: AbortSignal.any([stop.signal, AbortSignal.timeout(5_000)]),
    })
    let heard = ''
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      heard += chunk
      if (heard.includes('event: beat\ndata:\n\n')) break
    }
    expect(heard).toContain('event: beat')
  })

  test('receives nothing of other trainings', async () => {
    const batches = await watch(await env.credentials('admin@acme.test'), 'Watched')
    await until(
      'the first batch',
      async () => batches.length,
      (count) => count > 0,
    )
    await admin('POST', '/azure/machines', order('Another', ['z@acme.test']))
    await until(
      'it runs',
      () => machinesOf(admin, 'Another'),
      ([machine]) => machine!.status === 'Running',
    )
    const watched = await machinesOf(admin, 'Watched')
    const { name, resourceGroup } = watched[0]!
    await admin('PATCH', '/azure/machines', [{ operation: 0 }, { name, resourceGroup }])
    await until(
      'its stop is reported',
      async () => batches.flat(),
      (all) => all.some(({ status }) => status === 'Stopped'),
    )
    const received = new Set(batches.flat().map((each) => each.name))
    expect([...received].toSorted()).toEqual(watched.map((each) => each.name).toSorted())
  })

  test('receives nothing after its session ended, and is closed within five seconds', async () => {
    // A stream is also closed if its permission cannot be checked.
    let isSubscribed = true
    const failing = watchChanges<string>({
      actor: { id: 'nobody' as UserId, organisation: null },
      subscribe: () => ({ unsubscribe: () => (isSubscribed = false) }),
      closed: stop.signal,
      send: () => {},
      load: async () => null,
      isStillAllowed: () => Promise.reject(new Error('The database does not answer.')),
    })
    const { url, token } = await env.credentials('learner2@acme.test')
    const response = await fetch(`${url}/azure/machines/events?trainingName=Watched`, {
      headers: { authorization: `Bearer ${token}` },
      signal: stop.signal,
    })
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
    expect((await reader.read()).value).toBeDefined()
    await fetch(`${url}/user/logout`, { method: 'POST', headers: { authorization: `Bearer ${token}` } })
    // A change right after the logout must not be sent.
    const change = sql`update machine set admin_username = 'changed' where email = 'learner2@acme.test'`.execute(env.db)
    let received = ''
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      received += value
    }
    await change
    expect(received).not.toContain('changed')
    await failing
    expect(isSubscribed).toBe(false)
  })

  test('receives nothing after its user must change the password first, and is closed', async () => {
    const { url, token } = await env.credentials('learner1@acme.test')
    const response = await fetch(`${url}/azure/machines/events?trainingName=Watched`, {
      headers: { authorization: `Bearer ${token}` },
      signal: stop.signal,
    })
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
    expect((await reader.read()).value).toBeDefined()
    await env.db.updateTable('organisation').set({ password_change_required: true }).where('id', '=', acme).execute()
    await sql`update portal_user set password_hash = 'none', password_given = true where email = 'learner1@acme.test'`.execute(
      env.db,
    )
    await sql`update machine set admin_username = 'changed' where email = 'learner1@acme.test'`.execute(env.db)
    let received = ''
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      received += value
    }
    expect(received).not.toContain('changed')
    // Streams of other users continue.
    const { token: other } = await env.credentials('admin@acme.test')
    expect(await mayWatch(env.db, hashToken(other), 'admin', 'optional')).toBe(true)
    expect(await mayWatch(env.db, hashToken(token), 'user', 'optional')).toBe(false)
    await env.db.updateTable('organisation').set({ password_change_required: false }).where('id', '=', acme).execute()
  })

  test('the streams of one organisation leave connections for the calls of others', async () => {
    const globex = await env.organisation('Globex')
    const neighbour = await env.signIn('admin', 'admin@globex.test', globex)
    const as = await env.credentials('admin@acme.test')
    const streams = await Promise.all(Array.from({ length: 10 }, () => watch(as, 'Watched')))
    for (const batches of streams)
      await until(
        'the first batch',
        async () => batches.length,
        (count) => count > 0,
      )
    const locked = Promise.withResolvers<void>()
    const ended = Promise.withResolvers<void>()
    const lock = env.db.transaction().execute(async (tx) => {
      await sql`lock table machine in access exclusive mode`.execute(tx)
      locked.resolve()
      await ended.promise
    })
    await locked.promise
    try {
      await sql`select pg_notify('machine_changed', id::text) from training where name = 'Watched'`.execute(env.db)
      await untilWaitingForLock(env.db, 2)
      expect((await neighbour('GET', '/user/sessions')).status).toBe(200)
    } finally {
      ended.resolve()
      await lock
    }
  })

  test('has a maximum number of streams per user, independently of other users', { tags: ['storm'] }, async () => {
    const { url, token } = await env.credentials('learner0@acme.test')
    const open = (of: string) =>
      fetch(`${url}/azure/machines/events?trainingName=Watched`, {
        headers: { authorization: `Bearer ${of}` },
        signal: stop.signal,
      })
    // References are retained, because fetch closes a reply that is garbage collected.
    const replies: Response[] = []
    for (let i = 0; i < OPEN_STREAMS_PER_USER + 5; i += 1) replies.push(await open(token))
    const statuses = replies.map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(OPEN_STREAMS_PER_USER)
    expect(statuses.slice(OPEN_STREAMS_PER_USER)).toEqual([429, 429, 429, 429, 429])
    expect((await open((await env.credentials('admin@acme.test')).token)).status).toBe(200)
  })

  test('does not count connections that closed before they were authenticated', async () => {
    const { url, token } = await env.credentials('learner2@acme.test')
    const { hostname, port, pathname } = new URL(`${url}/azure/machines/events`)
    const path = `${pathname}?trainingName=Watched`
    const before = await env.connections()
    await env.db.transaction().execute(async (tx) => {
      await sql`lock table session in access exclusive mode`.execute(tx)
      const leaving = Array.from({ length: OPEN_STREAMS_PER_USER }, () => {
        const socket = connect({ host: hostname, port: Number(port) })
        socket.write(`GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${token}\r\n\r\n`)
        return socket
      })
      await until('all have come', env.connections, (count) => count >= before + OPEN_STREAMS_PER_USER)
      for (const socket of leaving) socket.destroy()
      await until('all have left', env.connections, (count) => count <= before)
    })
    const headers = { authorization: `Bearer ${token}` }
    const open = () => fetch(`${url}/azure/machines/events?trainingName=Watched`, { headers, signal: stop.signal })
    const statuses = await Promise.all(Array.from({ length: OPEN_STREAMS_PER_USER }, open))
    expect(new Set(statuses.map(({ status }) => status))).toEqual(new Set([200]))
  })
})
