import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import type { Call } from '@trainyard/contract/call.ts'
import { type Emulator, startEmulator } from '@trainyard/emulator/emulator.ts'
import { contract } from '@trainyard/contract/contract.ts'
import { type Role, ROLES } from '@trainyard/contract/words/role.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'
import { type Ask, startPortalOn, type TestPortal } from '#test/portal.ts'
import { foreignRows } from './test-foreign-rows.ts'
import { type Row, ROWS } from './test-rows.ts'
import { makeWorld, MARKER, PEOPLE, type Subject } from '#test/world.ts'
import { removeFolder } from '#test/remove-folder.ts'

const calls = Object.entries(contract).flatMap(([module, ofModule]) =>
  Object.entries(ofModule as Record<string, Call>).map(([name, call]) => ({
    title: `${module}.${name}`,
    module,
    name,
    call,
  })),
)

/** Roles that may see every organisation. Calls by any other role must have no effect on foreign rows. */
const EVERYWHERE = new Set<Role>(['superadmin'])

function rowOf(module: string, name: string): Row<Call> {
  const row = (ROWS as unknown as Record<string, Record<string, Row<Call>>>)[module]?.[name]
  if (row === undefined) throw new Error(`${module}.${name} has no row in test-rows.ts`)
  return row
}

/** Returns status and body of each request for a subject, without the request id. */
async function answers(at: At, subject: Subject, uid: string | undefined, as: Role) {
  const asked = rowOf(at.module, at.name).ask(subject, as) as Ask | Ask[]
  const replies: { status: number; text: string }[] = []
  for (const each of Array.isArray(asked) ? asked : [asked]) {
    // The first event of a stream is enough.
    const enough = new AbortController()
    const reply = await at.portal.ask(at.call.method, at.call.path, { ...each, uid, signal: enough.signal })
    const text = at.call.stream && reply.ok ? await firstOf(reply) : await reply.text()
    enough.abort()
    replies.push({ status: reply.status, text: text.replace(/"requestId":"[^"]*"/, '"requestId":""') })
  }
  return replies
}

async function firstOf(reply: Response): Promise<string> {
  const { value } = await reply.body!.getReader().read()
  return new TextDecoder().decode(value)
}

interface At {
  readonly portal: TestPortal
  readonly module: string
  readonly name: string
  readonly call: Call
}

interface Place {
  readonly portal: TestPortal
  /** Sessions of read-only calls, which never end them. */
  readonly sessions: Map<Role, Promise<string>>
  readonly world: { own: Subject; foreign: Subject; absent: Subject }
}

const cluster = inject('testCluster')

/** Creates the rows once; each portal starts with a copy of this database. */
async function makeFirst(): Promise<{ database: TestDatabase; world: Place['world'] }> {
  const database = await createTestDatabase(cluster)
  const portal = await startPortalOn(database.url)
  const world = await makeWorld(portal)
  await portal.close()
  return { database, world }
}
let first: ReturnType<typeof makeFirst> | undefined
afterAll(async () => (await first)?.database.drop())

async function startPlace(): Promise<Place> {
  const { port } = await (farEnd ??= startFarEnd())
  const { database, world } = await (first ??= makeFirst())
  const copy = await createTestDatabase(cluster, database.name)
  const portal = await startPortalOn(copy.url, { EMULATOR_PORT: String(port) })
  return {
    world,
    sessions: new Map(),
    portal: {
      ...portal,
      async close() {
        await portal.close()
        await copy.drop()
      },
    },
  }
}

/** The emulator that answers calls to providers. */
let farEnd: Promise<Emulator> | undefined
const dataDir = mkdtempSync(join(tmpdir(), 'trainyard-access-'))
const startFarEnd = () => startEmulator({ port: 0, smtpPort: 0, dataDir, latency: 0 })
afterAll(async () => {
  await (await farEnd)?.stop()
  removeFolder(dataDir)
})

/** Calls per shared portal, so few that no user reaches the limit up to which refusals are audited one by one. */
const READERS = 20
let readers = 0
let forReading: Place | undefined
/** Read-only calls share a portal. */
async function placeForReading(): Promise<Place> {
  if (readers++ % READERS === 0) {
    await forReading?.portal.close()
    forReading = await startPlace()
  }
  return forReading!
}
afterAll(async () => forReading?.portal.close())

/** The abilities that `/user/me` reports for each role. They are the same in every portal, so they are read once. */
let abilities: ReturnType<typeof readAbilities> | undefined
async function readAbilities(portal: TestPortal): Promise<Record<Role, string[]>> {
  const told = {} as Record<Role, string[]>
  for (const role of ROLES) {
    const reply = await portal.ask('GET', '/user/me', { uid: await portal.sessionOf(PEOPLE[role]) })
    told[role] = ((await reply.json()) as { abilities: string[] }).abilities
  }
  return told
}

describe.each(calls)('$title', ({ module, name, call }) => {
  let portal: TestPortal
  let world: Place['world']
  let sessions: Place['sessions']
  let changes = 0
  const of = async (subject: Subject, uid: string | undefined, as: Role = 'user') => {
    const replies = await answers({ portal, module, name, call }, subject, uid, as)
    changes += replies.filter(({ status }) => status === 200).length
    return replies
  }
  const as = (role: Role) => {
    const session = sessions.get(role) ?? portal.sessionOf(PEOPLE[role])
    if (call.method === 'GET') sessions.set(role, session)
    return session
  }
  const statuses = (replies: readonly { status: number }[]) => replies.map(({ status }) => status)

  beforeAll(async () => {
    ;({ portal, world, sessions } = await (call.method === 'GET' ? placeForReading() : startPlace()))
  })
  afterAll(async () => {
    if (call.method !== 'GET') await portal.close()
  })

  const open = call.roles === 'anyone'
  const may = ROLES.filter((role) => !Array.isArray(call.roles) || call.roles.includes(role))
  const mayNot = ROLES.filter((role) => !may.includes(role))
  const somebody = rowOf(module, name).about === 'somebody' ? may : []
  const oneself = rowOf(module, name).about === 'oneself' ? may : []
  const nobody = rowOf(module, name).about === 'nobody' && !open ? may : []
  const refused = rowOf(module, name).about === 'none' ? may : []
  const elsewhere = (role: Role) => EVERYWHERE.has(role)
  const foreign = async () => (call.method === 'GET' ? [] : foreignRows(portal.owner))
  const none: readonly Role[] = []

  // @covers R7.5 A28
  test.each(open ? none : [undefined])('rejects a signed-out caller with the same response for every subject', async (uid) => {
    const absent = await of(world.absent, uid)
    expect(new Set(statuses(absent))).toEqual(new Set([401]))
    expect(await of(world.foreign, uid)).toEqual(absent)
    expect(await of(world.own, 'no-such-session')).toEqual(absent)
  })

  // @covers R7.4 R7.5 A28
  test.each(mayNot)('rejects %s with the same response for every subject', async (role) => {
    const uid = await as(role)
    const absent = await of(world.absent, uid)
    expect(new Set(statuses(absent))).toEqual(new Set([403]))
    expect(await of(world.foreign, uid)).toEqual(absent)
    expect(await of(world.own, uid)).toEqual(absent)
  })

  test('is an ability of exactly the roles that may make it', async () => {
    const told = await (abilities ??= readAbilities(portal))
    expect(ROLES.filter((role) => told[role].includes(`${module}.${name}`))).toEqual(call.signed === true ? [] : may)
  })

  // @covers A13
  test.each(mayNot)('records in the audit that %s was refused, and from which address', async (role) => {
    const before = await refusedRows(role)
    const replies = await of(world.own, await as(role))
    const rows = (await refusedRows(role)).slice(before.length)
    const row = { call: `${module}.${name}`, actor_email: PEOPLE[role], address: '127.0.0.1', refused: 'forbidden' }
    expect(rows).toEqual(replies.map(() => row))
  })
  const refusedRows = (role: Role) =>
    portal.app.db
      .selectFrom('audit')
      .select(['call', 'actor_email', 'address', 'refused'])
      .where('refused', 'is not', null)
      .where('actor_email', '=', PEOPLE[role])
      .where('call', '=', `${module}.${name}`)
      .orderBy('id')
      .execute()

  // @covers R7.5
  test.each(somebody)('answers %s with 404 for an absent subject', async (role) => {
    expect(new Set(statuses(await of(world.absent, await as(role))))).toEqual(new Set([404]))
  })

  // @covers R7.1 R7.2 R7.5 A29
  test.each(somebody.filter((role) => !elsewhere(role)))('answers %s with the same response for a foreign and an absent subject', async (role) => {
    const uid = await as(role)
    expect(await of(world.foreign, uid)).toEqual(await of(world.absent, uid))
    const stood = await foreign()
    const own = await of(world.own, uid)
    expect([200, 409]).toEqual(expect.arrayContaining(statuses(own)))
    expect(JSON.stringify(own)).not.toContain(MARKER)
    expect(await foreign()).toEqual(stood)
  })

  // @covers R7.3 R8.14
  test.each(somebody.filter(elsewhere))('lets %s reach every organisation', async (role) => {
    const uid = await as(role)
    const stood = await foreign()
    const own = await of(world.own, uid)
    expect(await foreign()).toEqual(stood)
    const replies = [...own, ...(await of(world.foreign, uid))]
    expect([200, 409]).toEqual(expect.arrayContaining(statuses(replies)))
  })

  test.each(oneself)('answers %s for their own subject, and with 404 for another’s', async (role) => {
    const uid = await as(role)
    const absent = await of(world.absent, uid, role)
    expect(new Set(statuses(absent))).toEqual(new Set([404]))
    expect(await of(world.foreign, uid, role)).toEqual(absent)
    const stood = await foreign()
    expect(new Set(statuses(await of(world.own, uid, role)))).toEqual(new Set([200]))
    expect(await foreign()).toEqual(stood)
  })

  test.each(nobody)('answers %s without data of other organisations', async (role) => {
    const replies = await of(world.absent, await as(role))
    expect(new Set(statuses(replies))).toEqual(new Set([200]))
    expect(elsewhere(role) || !JSON.stringify(replies).includes(MARKER)).toBe(true)
  })

  test.each(refused)('refuses %s with the same response for every subject', async (role) => {
    const uid = await as(role)
    const absent = await of(world.absent, uid, role)
    expect([400, 403, 404]).toEqual(expect.arrayContaining(statuses(absent)))
    expect(await of(world.own, uid, role)).toEqual(absent)
    expect(await of(world.foreign, uid, role)).toEqual(absent)
  })

  test.each(open ? [undefined] : none)('returns no data of any organisation', async (uid) => {
    expect(JSON.stringify(await of(world.absent, uid))).not.toContain(MARKER)
  })

  test.each(call.method === 'GET' ? none : [undefined])(
    'writes one audit row for each change, and none for a refused call',
    async () => {
      const { db } = portal.app
      const rows = await db.selectFrom('audit').select(['call', 'request_id']).where('refused', 'is', null).execute()
      expect(rows.map((row) => row.call)).toEqual(Array.from({ length: changes }, () => `${module}.${name}`))
      expect(new Set(rows.map((row) => row.request_id)).size).toBe(changes)
    },
  )
})

test('has a call for every row', () => {
  const rows = Object.entries(ROWS).flatMap(([module, ofModule]) =>
    Object.keys(ofModule).map((name) => `${module}.${name}`),
  )
  expect(rows.sort()).toEqual(calls.map(({ module, name }) => `${module}.${name}`).sort())
})
