import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { sharedPortal } from '@trainyard/platform/test/shared.ts'

/** A list of lab users as the browser sends it: one call per row, with an idempotency key derived from file and row. */

const LONG = process.env['STORM'] === 'long'
const ROWS = LONG ? 1_000 : 60
/** Interval of invalid rows: a name with a space, an address without a domain, an existing name. */
const INVALID_EVERY = LONG ? 33 : 20

const INVALID = [
  { username: 'two words', personalEmail: 'a@home.test' },
  { username: 'nowhere', personalEmail: 'nowhere' },
  { username: 'learner-1', personalEmail: 'again@home.test' },
]
const isInvalid = (row: number) => row % INVALID_EVERY === INVALID_EVERY - 1
const list = Array.from({ length: ROWS }, (_, row) =>
  isInvalid(row)
    ? INVALID[Math.floor(row / INVALID_EVERY) % INVALID.length]!
    : { username: `learner-${row}`, personalEmail: `learner-${row}@home.test` },
)
const valid = list.filter((_, row) => !isInvalid(row)).length

let statuses: number[]

const portal = await sharedPortal()
await portal.app.db
  .insertInto('portal_user')
  .values({ email: 'root@portal.test', role: 'superadmin', organisation_id: null, password_hash: null })
  .execute()

async function send(row: number, uid: string, signal?: AbortSignal): Promise<number> {
  const reply = await portal.request('POST', '/sandbox/user', {
    uid,
    body: { ...list[row], duration: 5 },
    headers: { 'idempotency-key': `list-of-june-${row}` },
    ...(signal === undefined ? {} : { signal }),
  })
  await reply.text()
  return reply.status
}

describe(`${ROWS} rows, interrupted half-way and sent again`, () => {
  test('the first run is cut off in the middle of a row', async () => {
    const uid = await portal.sessionOf('root@portal.test')
    const half = Math.floor(ROWS / 2)
    for (let row = 0; row < half; row++) await send(row, uid)
    const dying = new AbortController()
    const inFlight = send(half, uid, dying.signal)
    setImmediate(() => dying.abort())
    await expect(inFlight).rejects.toThrow(/abort/i)
    portal.server.server.closeAllConnections()
  })

  test('the second run adds the missing users: each valid user once, with one mail', async () => {
    const uid = await portal.sessionOf('root@portal.test')
    statuses = []
    for (let row = 0; row < ROWS; row++) statuses.push(await send(row, uid))
    const users = await portal.owner.selectFrom('azure_user').select('email').execute()
    expect(users).toHaveLength(valid)
    expect(new Set(users.map(({ email }) => email)).size).toBe(valid)
    const count = async (table: string) =>
      (await sql<{ n: number }>`select count(*)::integer as n from ${sql.table(table)}`.execute(portal.owner)).rows[0]!
        .n
    expect(await count('invitation')).toBe(valid)
    expect(await count('pgboss.job')).toBe(valid)
  })

  test('each invalid row is reported', () => {
    const reported = statuses.map((status, row) => [row, status] as const).filter(([row]) => isInvalid(row))
    expect(reported.map(([, status]) => status).filter((status) => status !== 400 && status !== 409)).toEqual([])
    expect(statuses.filter((_, row) => !isInvalid(row)).filter((status) => status !== 200)).toEqual([])
  })
}, 300_000)
