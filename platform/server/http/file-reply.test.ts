/** @module-tag full */
import { type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { beforeAll, expect, test } from 'vitest'
import { queryDatabase } from '../../test/query-database.ts'
import { sharedPortal } from '../../test/shared.ts'

/** Number of rows on one page of the export. */
const PAGE = 1_000

const portal = await sharedPortal()
let uid: string

/**
 * Inserts audit rows of a user. The oldest one has a timestamp that JavaScript cannot represent, so that reading the
 * page with that row fails.
 */
const insertRows = (person: string, rows: number) =>
  queryDatabase(
    portal.settings['DATABASE_URL']!,
    `insert into audit (request_id, call, actor_email, detail, at)
     select 'x', 'file.row', '${person}', jsonb_build_object('text', (select string_agg(md5(n || ' ' || m), '') from generate_series(1, 30) m)),
       case when n = ${rows} then '-infinity' else now() - n * interval '1 second' end
     from generate_series(1, ${rows}) n`,
  )

beforeAll(async () => {
  await queryDatabase(
    portal.settings['DATABASE_URL']!,
    `insert into portal_user (email, role) values ('root@labs.test', 'superadmin')`,
  )
  uid = await portal.sessionOf('root@labs.test')
  await insertRows('late@labs.test', PAGE + 1)
  await insertRows('early@labs.test', 1)
})

const bodyOf = (format: string, person: string) => JSON.stringify({ format, person })

/** Sends an export request and returns the status and whether the client received a complete reply. */
const exported = (format: string, person: string, encoding: string) =>
  new Promise<{ status: number; complete: boolean; disposition: string | null; coding: string | null }>(
    (resolve, reject) => {
      const sent = request(
        `${portal.url}/api/admin/audit/export`,
        {
          method: 'POST',
          headers: {
            authorization: `Bearer ${uid}`,
            'content-type': 'application/json',
            'accept-encoding': encoding,
          },
        },
        (reply) => {
          reply.resume()
          reply.on('error', () => undefined)
          reply.on('close', () =>
            resolve({
              status: reply.statusCode!,
              complete: reply.complete,
              disposition: reply.headers['content-disposition'] ?? null,
              coding: reply.headers['content-encoding'] ?? null,
            }),
          )
        },
      )
      sent.on('error', reject)
      sent.end(bodyOf(format, person))
    },
  )

test.each(['csv', 'jsonl'])('ends a %s export that fails half-way with a broken transfer', async (format) => {
  for (const encoding of ['identity', 'gzip', 'br']) {
    const { status, complete, disposition } = await exported(format, 'late@labs.test', encoding)
    // A compressor may have sent nothing yet, so the reply can still become an error.
    expect([
      { status: 200, isWholeFile: false },
      { status: 500, isWholeFile: false },
    ]).toContainEqual({ status, isWholeFile: complete && disposition !== null })
  }
})

test.each(['csv', 'jsonl'])('answers a %s export that fails at its beginning with an error', async (format) => {
  for (const encoding of ['identity', 'gzip', 'br']) {
    expect(await exported(format, 'early@labs.test', encoding)).toEqual({
      status: 500,
      complete: true,
      disposition: null,
      coding: null,
    })
  }
})

test('resets the connection of an HTTP/1.0 client, which reads until the end of the connection', async () => {
  const { hostname, port } = new URL(portal.url)
  const body = bodyOf('csv', 'late@labs.test')
  const head = [
    'POST /api/admin/audit/export HTTP/1.0',
    `Host: ${hostname}`,
    `Authorization: Bearer ${uid}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    '',
    '',
  ].join('\r\n')
  const ended = await new Promise<string>((resolve) => {
    const socket = connect(Number(port), hostname, () => socket.write(head + body))
    socket.on('data', () => undefined)
    socket.on('end', () => resolve('end'))
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''))
  })
  expect(ended).toBe('ECONNRESET')
})

test('exports that their users do not read stop no export of others', async () => {
  await insertRows('large@labs.test', 9 * PAGE)
  await queryDatabase(
    portal.settings['DATABASE_URL']!,
    `insert into portal_user (email, role) values ('one@labs.test', 'superadmin'), ('two@labs.test', 'superadmin')`,
  )
  const send = async (token: string, person: string) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      const sent = request(`${portal.url}/api/admin/audit/export`, { method: 'POST', headers }, resolve)
      sent.on('error', reject)
      sent.end(bodyOf('jsonl', person))
    })
  const unread: IncomingMessage[] = []
  for (const email of ['one@labs.test', 'two@labs.test']) {
    const token = await portal.sessionOf(email)
    for (let number = 1; number <= 4; number += 1) unread.push(await send(token, 'large@labs.test'))
  }
  expect(unread.map(({ statusCode }) => statusCode)).toEqual(unread.map(() => 200))
  const reply = await send(uid, 'none@labs.test')
  reply.resume()
  expect(reply.statusCode).toBe(200)
  for (const each of unread) each.destroy()
})

test('sends an export that succeeds completely', async () => {
  await queryDatabase(
    portal.settings['DATABASE_URL']!,
    `insert into audit (request_id, call, detail, actor_email) select 'x', 'fine.row', '{}', 'fine@labs.test'
     from generate_series(1, 1500)`,
  )
  const reply = await portal.request('POST', '/admin/audit/export', { uid, body: bodyOf('csv', 'fine@labs.test') })
  expect((await reply.text()).match(/fine\.row,fine\.row/g)).toHaveLength(1500)
  const none = await portal.request('POST', '/admin/audit/export', { uid, body: bodyOf('csv', 'none@labs.test') })
  expect((await none.text()).split('\r\n')).toHaveLength(2)
})
