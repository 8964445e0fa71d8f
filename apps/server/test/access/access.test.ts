import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type Call, isRead as isReadCall, methodOf, pathOf } from '@trainyard/platform/contract/call.ts'
import type { Emulator } from '@trainyard/platform/emulator/emulator.ts'
import { startEmulator } from '@trainyard/modules/emulator.ts'
import { contract } from '@trainyard/modules/contract.ts'
import { type Role, ROLES } from '@trainyard/platform/contract/words/role.ts'
import { startTestPortal, type TestPortal } from '@trainyard/platform/test/portal.ts'
import { foreignRows } from './test-foreign-rows.ts'
import { sampleOf } from './test-rows.ts'
import { createSubjectsTemplate, MARKER, PEOPLE, type SubjectsTemplate } from '@trainyard/platform/test/world.ts'
import { addOtherTraining, CONFIDENTIAL, createSubjects, INSTRUCTORS, type Subject } from '../world.ts'
import { removeFolder } from '@trainyard/platform/test/remove-folder.ts'

const calls = Object.entries(contract).flatMap(([module, ofModule]) =>
  Object.entries(ofModule as Record<string, Call>).map(([name, call]) => ({
    title: `${module}.${name}`,
    module,
    name,
    call,
  })),
)

/** Roles that may see every organisation. Calls by any other role must have no effect on foreign rows. */
const UNRESTRICTED = new Set<Role>(['superadmin'])

/** Names of fields that state money. */
const MONEY_FIELDS = /[^"]*(?:paise|rupee|amount|price|rate|cost|balance|credit|invoice)[^"]*\\?":|₹/i

/** Returns status and body of each request for a subject, without the request id. */
async function answers(at: CallTarget, subject: Subject, uid: string | undefined, as: Role) {
  const replies: { status: number; text: string }[] = []
  for (const each of sampleOf(at.module, at.name).request(subject, as)) {
    const enough = new AbortController()
    const reply = await at.portal.request(methodOf(at.call), pathOf(at.call), { ...each, uid, signal: enough.signal })
    const text = at.call.kind === 'stream' && reply.ok ? await firstOf(reply) : await reply.text()
    enough.abort()
    replies.push({ status: reply.status, text: text.replace(/"requestId":"[^"]*"/, '"requestId":""') })
  }
  return replies
}

async function firstOf(reply: Response): Promise<string> {
  const { value } = await reply.body!.getReader().read()
  return new TextDecoder().decode(value)
}

interface CallTarget {
  readonly portal: TestPortal
  readonly module: string
  readonly name: string
  readonly call: Call
}

interface AccessPortal {
  readonly portal: TestPortal
  /** Sessions for calls that only read, which never end a session. */
  readonly sessions: Map<Role, Promise<string>>
  readonly world: { own: Subject; foreign: Subject; absent: Subject }
}

const cluster = inject('testCluster')

interface Original extends SubjectsTemplate<Subject> {
  /** Rows of the foreign organisation. */
  readonly foreignRows: readonly string[]
}

/** Creates the rows once; each portal starts with a copy of this database. */
async function createOriginal(): Promise<Original> {
  let rows: readonly string[] = []
  const template = await createSubjectsTemplate(cluster, {}, async (portal) => {
    const subjects = await createSubjects(portal)
    await addOtherTraining(portal, subjects.own)
    rows = await foreignRows(portal.owner)
    return subjects
  })
  return { ...template, foreignRows: rows }
}
let original: Promise<Original> | undefined
afterAll(async () => (await original)?.database.drop())

async function startAccessPortal(): Promise<AccessPortal> {
  const { port } = await (emulator ??= startAccessEmulator())
  const { database, ...world } = await (original ??= createOriginal())
  const settings = { EMULATOR_PORT: String(port) }
  return { world, sessions: new Map(), portal: await startTestPortal(cluster, settings, {}, database.name) }
}

/** The emulator that answers calls to providers. */
let emulator: Promise<Emulator> | undefined
const dataDir = mkdtempSync(join(tmpdir(), 'trainyard-access-'))
const startAccessEmulator = () => startEmulator({ port: 0, smtpPort: 0, dataDir, latency: 0 })
afterAll(async () => {
  await (await emulator)?.stop()
  removeFolder(dataDir)
})

/**
 * Number of calls per shared portal. It is so low that no user reaches the limit up to which refusals are audited
 * individually.
 */
const READERS = 20
let readers = 0
let sharedPortal: AccessPortal | undefined
async function portalForReading(): Promise<AccessPortal> {
  if (readers++ % READERS === 0) {
    await sharedPortal?.portal.close()
    sharedPortal = await startAccessPortal()
  }
  return sharedPortal!
}
afterAll(async () => sharedPortal?.portal.close())

/** The abilities that `/user/me` reports for each role. They are the same in every portal, so they are read once. */
let abilities: ReturnType<typeof readAbilities> | undefined
async function readAbilities(portal: TestPortal): Promise<Record<Role, string[]>> {
  const abilitiesOf = {} as Record<Role, string[]>
  for (const role of ROLES) {
    const reply = await portal.request('GET', '/user/me', { uid: await portal.sessionOf(PEOPLE[role]) })
    abilitiesOf[role] = ((await reply.json()) as { abilities: string[] }).abilities
  }
  return abilitiesOf
}

interface Described {
  readonly module: string
  readonly name: string
  readonly call: Call
  /** The portal of the tests. It is started before the first of them. */
  readonly at: () => AccessPortal
}

const none: readonly Role[] = []
const seesEverything = (role: Role) => UNRESTRICTED.has(role)
const statuses = (replies: readonly { status: number }[]) => replies.map(({ status }) => status)

/** Returns the roles of a call by what the access test expects of them. */
function rolesOf({ module, name, call }: Described) {
  const { about } = sampleOf(module, name)
  const allowed = ROLES.filter((role) => !Array.isArray(call.for) || call.for.includes(role))
  const open = call.for === 'anyone'
  return {
    open,
    about,
    allowed,
    refused: ROLES.filter((role) => !allowed.includes(role)),
    scoped: about === 'scoped' ? allowed : [],
  }
}

/** Declares the tests of requests that are refused, which change nothing. */
function testRefusals(described: Described): void {
  const { module, name, call, at } = described
  const { open, allowed, refused, scoped } = rolesOf(described)
  const responsesFor = (subject: Subject, uid: string | undefined) =>
    answers({ portal: at().portal, module, name, call }, subject, uid, 'user')
  const as = (role: Role) => {
    const { sessions, portal } = at()
    const session = sessions.get(role) ?? portal.sessionOf(PEOPLE[role])
    sessions.set(role, session)
    return session
  }

  test.each(open ? none : [undefined])(
    'rejects a signed-out caller with the same response for every subject',
    async (uid) => {
      const absent = await responsesFor(at().world.absent, uid)
      expect(new Set(statuses(absent))).toEqual(new Set([401]))
      expect(await responsesFor(at().world.foreign, uid)).toEqual(absent)
      expect(await responsesFor(at().world.own, 'no-such-session')).toEqual(absent)
    },
  )

  test.each(refused)(
    'rejects %s with the same response for every subject, and records each refused change',
    async (role) => {
      const uid = await as(role)
      const absent = await responsesFor(at().world.absent, uid)
      expect(new Set(statuses(absent))).toEqual(new Set([403]))
      expect(await responsesFor(at().world.foreign, uid)).toEqual(absent)
      expect(await responsesFor(at().world.own, uid)).toEqual(absent)
      const row = { call: `${module}.${name}`, actor_email: PEOPLE[role], address: '127.0.0.1', refused: 'forbidden' }
      const isRead = isReadCall(call) && call.kind !== 'file'
      expect(await refusedRows(role)).toEqual(isRead ? [] : [...absent, ...absent, ...absent].map(() => row))
    },
  )
  const refusedRows = (role: Role) =>
    at()
      .portal.app.db.selectFrom('audit')
      .select(['call', 'actor_email', 'address', 'refused'])
      .where('refused', 'is not', null)
      .where('actor_email', '=', PEOPLE[role])
      .where('call', '=', `${module}.${name}`)
      .orderBy('id')
      .execute()

  test('is an ability of exactly the roles that may make it', async () => {
    const abilitiesOf = await (abilities ??= readAbilities(at().portal))
    expect(ROLES.filter((role) => abilitiesOf[role].includes(`${module}.${name}`))).toEqual(
      call.kind === 'signed' ? [] : allowed,
    )
  })

  test.each(scoped)('answers %s with 404 for an absent subject', async (role) => {
    expect(new Set(statuses(await responsesFor(at().world.absent, await as(role))))).toEqual(new Set([404]))
  })

  test.each(scoped.filter((role) => !seesEverything(role)))(
    'answers %s with the same response for a foreign and an absent subject',
    async (role) => {
      const uid = await as(role)
      expect(await responsesFor(at().world.foreign, uid)).toEqual(await responsesFor(at().world.absent, uid))
    },
  )
}

/** Declares the tests of requests that are answered, which may change something. */
function testReplies(described: Described): void {
  const { module, name, call, at } = described
  const { open, about, allowed, scoped } = rolesOf(described)
  const isRead = isReadCall(call)
  const ownRoles = about === 'self' ? allowed : []
  const unscoped = about === 'unscoped' && !open ? allowed : []
  const refused = about === 'refused' ? allowed : []
  let changes = 0
  const responsesFor = async (subject: Subject, uid: string | undefined, as: Role = 'user') => {
    const replies = await answers({ portal: at().portal, module, name, call }, subject, uid, as)
    changes += replies.filter(({ status }) => status === 200).length
    return replies
  }
  const as = (role: Role) => {
    const { sessions, portal } = at()
    const session = sessions.get(role) ?? portal.sessionOf(PEOPLE[role])
    if (isRead) sessions.set(role, session)
    return session
  }
  const expectForeignUnchanged = async () => {
    if (!isRead) expect(await foreignRows(at().portal.owner)).toEqual((await original!).foreignRows)
  }

  const isForInstructors = call.instructors === true
  const scopedForInstructors = about === 'scoped' && (isForInstructors || allowed.includes('user'))
  /**
   * Each call is made once as an instructor before other roles make their calls, because some of these delete the
   * training.
   */
  let instructors: ReturnType<typeof responsesAsInstructors> | undefined
  const repliesToInstructors = () => (instructors ??= responsesAsInstructors())
  async function responsesAsInstructors() {
    const instructorSession = await at().portal.sessionOf(INSTRUCTORS.own)
    const other = await at().portal.sessionOf(INSTRUCTORS.other)
    const unknown = { ...at().world.absent, organization: at().world.own.organization }
    return {
      absent: await responsesFor(at().world.absent, instructorSession),
      foreign: await responsesFor(at().world.foreign, instructorSession),
      own: await responsesFor(at().world.own, instructorSession),
      byOther: await responsesFor(at().world.own, other),
      unknown: scopedForInstructors ? await responsesFor(unknown, other) : [],
    }
  }

  test.each(open ? none : [undefined])('gives an instructor of the training no data of other trainings', async () => {
    const { absent, foreign: foreignReply, own } = await repliesToInstructors()
    const text = JSON.stringify([absent, foreignReply, own])
    for (const word of [MARKER, CONFIDENTIAL.training, CONFIDENTIAL.rupees, `:${CONFIDENTIAL.paise}`])
      expect(text).not.toContain(word)
  })

  test.each(isForInstructors ? [undefined] : none)('answers an instructor of the training, without money', async () => {
    const { own } = await repliesToInstructors()
    expect([200, 409]).toEqual(expect.arrayContaining(statuses(own)))
    expect(JSON.stringify(own)).not.toMatch(MONEY_FIELDS)
  })

  test.each(open || isForInstructors || allowed.includes('user') ? none : [undefined])(
    'rejects an instructor',
    async () => {
      const { absent, foreign: foreignReply, own, byOther } = await repliesToInstructors()
      expect(new Set(statuses([...absent, ...foreignReply, ...own, ...byOther]))).toEqual(new Set([403]))
    },
  )

  // The list of an organisation's trainings is the only call that depends on the organisation instead of the training.
  const isOfTraining = `${module}.${name}` !== 'training.names'
  test.each(scopedForInstructors && isOfTraining ? [undefined] : none)(
    'answers an instructor of another training as for an unknown one',
    async () => {
      const { absent, foreign: foreignReply, byOther, unknown } = await repliesToInstructors()
      expect(foreignReply).toEqual(absent)
      expect(byOther).toEqual(unknown)
      expect(new Set(statuses(byOther))).toEqual(new Set([404]))
    },
  )

  test.each(scoped.filter((role) => !seesEverything(role)))(
    'answers %s for their own subject, without changing or showing another',
    async (role) => {
      const uid = await as(role)
      await responsesFor(at().world.foreign, uid)
      const own = await responsesFor(at().world.own, uid)
      expect([200, 409]).toEqual(expect.arrayContaining(statuses(own)))
      expect(JSON.stringify(own)).not.toContain(MARKER)
      await expectForeignUnchanged()
    },
  )

  test.each(scoped.filter(seesEverything))('lets %s access every organisation', async (role) => {
    const uid = await as(role)
    const own = await responsesFor(at().world.own, uid, role)
    await expectForeignUnchanged()
    const replies = [...own, ...(await responsesFor(at().world.foreign, uid, role))]
    expect([200, 409]).toEqual(expect.arrayContaining(statuses(replies)))
  })

  test.each(ownRoles)('answers %s for their own subject, and with 404 for another subject', async (role) => {
    const uid = await as(role)
    const absent = await responsesFor(at().world.absent, uid, role)
    expect(new Set(statuses(absent))).toEqual(new Set([404]))
    expect(await responsesFor(at().world.foreign, uid, role)).toEqual(absent)
    expect(new Set(statuses(await responsesFor(at().world.own, uid, role)))).toEqual(new Set([200]))
    await expectForeignUnchanged()
  })

  test.each(unscoped)('answers %s without data of other organisations', async (role) => {
    const replies = await responsesFor(at().world.absent, await as(role))
    expect(new Set(statuses(replies))).toEqual(new Set([200]))
    expect(seesEverything(role) || !JSON.stringify(replies).includes(MARKER)).toBe(true)
  })

  test.each(refused)('refuses %s with the same response for every subject', async (role) => {
    const uid = await as(role)
    const absent = await responsesFor(at().world.absent, uid, role)
    expect([400, 403, 404]).toEqual(expect.arrayContaining(statuses(absent)))
    expect(await responsesFor(at().world.own, uid, role)).toEqual(absent)
    expect(await responsesFor(at().world.foreign, uid, role)).toEqual(absent)
  })

  test.each(open ? [undefined] : none)('returns no data of any organisation', async (uid) => {
    expect(JSON.stringify(await responsesFor(at().world.absent, uid))).not.toContain(MARKER)
  })

  test.each(isRead ? none : [undefined])(
    'writes one audit row for each change, and none for a refused call',
    async () => {
      const { db } = at().portal.app
      const rows = await db.selectFrom('audit').select(['call', 'request_id']).where('refused', 'is', null).execute()
      expect(rows.map((row) => row.call)).toEqual(Array.from({ length: changes }, () => `${module}.${name}`))
      expect(new Set(rows.map((row) => row.request_id)).size).toBe(changes)
    },
  )
}

describe.each(calls)('$title', ({ module, name, call }) => {
  let shared: AccessPortal
  beforeAll(async () => {
    shared = await portalForReading()
  })
  testRefusals({ module, name, call, at: () => shared })
  if (isReadCall(call)) testReplies({ module, name, call, at: () => shared })
})

// A change needs a separate portal, because the next test would find its effect.
describe.each(calls.filter(({ call }) => !isReadCall(call)))(
  'the effect of $title',
  { tags: ['full'] },
  ({ module, name, call }) => {
    let own: AccessPortal
    beforeAll(async () => {
      own = await startAccessPortal()
    })
    afterAll(() => own.portal.close())
    testReplies({ module, name, call, at: () => own })
  },
)
