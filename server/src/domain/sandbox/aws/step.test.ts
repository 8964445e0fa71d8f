import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import type { SandboxUserId } from '@trainyard/contract/words/ids.ts'
import type { AwsUserRow } from '../../../db/schema/aws-lab.ts'
import type { AwsUserRef, AwsUsers, AwsUserState } from '../../../providers/aws-users.ts'
import { CloudError } from '../../../providers/errors.ts'
import type { Columns } from '../../../reconcile/outcome.ts'
import { startTestPortal, type TestPortal } from '#test/portal.ts'
import { type Turns, turnsOf } from '#test/turn.ts'
import { reclaimAccounts } from './lease.ts'
import { awsUserKind } from './step.ts'
import { endAwsUsers, endExpiredAwsUsers } from './wake.ts'

let portal: TestPortal
let turns: Turns
let count = 0
let asked: string[]
let seen: AwsUserState
let found: 'something' | 'nothing'
let account: 'away' | 'clean' | 'used'
let failures: Readonly<Record<string, Error>>
let meanwhile: () => Promise<unknown>

/** A test double of AWS that returns the states set by the test and fails the calls in `failures`. */
const record = async (call: string, of: string | null) => {
  asked.push(of === null ? call : `${call} in ${of}`)
  await meanwhile()
  if (failures[call] !== undefined) throw failures[call]
}
const aws: AwsUsers = {
  async create(user) {
    await record('create', user.account)
    asked.push(`until ${user.until.toISOString()} with ${user.password}`)
    return { account: user.account ?? '111111111111' }
  },
  secure: (user) => record('secure', user.account),
  async getState(at) {
    await record('look', at.account)
    return seen
  },
  block: (at: AwsUserRef) => record('block', at.account),
  async remove(at) {
    await record('remove', at.account)
    return found
  },
  list: async () => [],
  retire: (of) => record('retire', of),
  async getAccountState(of) {
    await record('account', of)
    return account
  },
}

const turn = (id: SandboxUserId) => turns.turn<AwsUserRow>(awsUserKind({ aws, seal: portal.app.seal }), id)
const row = (id: SandboxUserId) => turns.row<AwsUserRow>('aws_user', id)
const end = (id: SandboxUserId) => portal.owner.transaction().execute((tx) => endAwsUsers(tx, [id]))

async function add(columns: Columns<AwsUserRow> = {}): Promise<SandboxUserId> {
  const { db, seal } = portal.app
  const id = randomUUID() as SandboxUserId
  const username = `user${++count}`
  const made = await db
    .insertInto('portal_user')
    .values({ email: `${username}@aws.test`, role: 'awssandboxuser', organisation_id: null, password_hash: null })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('aws_user')
    .values({
      id,
      username,
      email: `${username}@aws.test`,
      personal_email: `${username}@home.test`,
      account_id: made.id,
      days: 1,
      end_at: turns.after(86_400),
      first_password: seal.seal('Correct-Horse-7', id),
      ...columns,
    })
    .execute()
  return id
}

const made = (columns: Columns<AwsUserRow> = {}) => {
  const before = turns.after(-900)
  return add({ create_sent_at: before, ready_at: before, aws_account: '111111111111', ...columns })
}

beforeAll(async () => {
  portal = await startTestPortal(inject('testCluster'))
})
afterAll(() => portal.close())
beforeEach(async () => {
  turns = await turnsOf(portal)
  asked = []
  seen = { state: 'existing', secured: true }
  found = 'nothing'
  account = 'away'
  failures = {}
  meanwhile = async () => undefined
})

describe('a new lab user', () => {
  test('is created with its end and password, and read ten minutes later', async () => {
    const id = await add({ attempts: 1, last_error: 'No.' })
    expect(await turn(id)).toMatchObject({
      create_sent_at: turns.after(0),
      ready_at: turns.after(0),
      aws_account: '111111111111',
      attempts: 0,
      last_error: null,
      pause: 600,
    })
    expect(asked).toEqual(['create', `until ${turns.after(86_400).toISOString()} with Correct-Horse-7`])
  })

  test('is created in its leased account', async () => {
    await turn(await add({ aws_account: '222222222222', leased: true }))
    expect(asked[0]).toBe('create in 222222222222')
  })

  test('that ends during its creation is blocked and deleted immediately', async () => {
    const id = await add()
    meanwhile = () => end(id)
    await turn(id)
    expect(asked.filter((call) => !call.startsWith('until'))).toEqual(['create', 'block', 'remove'])
  })

  test('that ends before the creation is sent is not created', async () => {
    const id = await add()
    const kind = awsUserKind({ aws, seal: portal.app.seal })
    const ended = await turns.turn<AwsUserRow>(
      {
        ...kind,
        async step(user, signal) {
          await end(id)
          return kind.step(user, signal)
        },
      },
      id,
    )
    expect(ended).toMatchObject({ create_sent_at: null, pause: 0 })
    expect(asked).toEqual([])
  })

  test('whose creation fails is retried after a pause, with the time of sending in its row', async () => {
    failures = { create: new CloudError('unreachable', 'No answer.') }
    const failed = await turn(await add())
    expect(failed).toMatchObject({
      create_sent_at: turns.after(0),
      ready_at: null,
      attempts: 1,
      last_error: 'No answer.',
    })
    expect(failed.pause).toBeGreaterThan(0)
  })
})

describe('a read', () => {
  test('of a user with intact limits changes nothing', async () => {
    expect(await turn(await made({ absent_at: turns.after(-60) }))).toMatchObject({ absent_at: null, pause: 600 })
    expect(asked).toEqual(['look'])
  })

  test('of a user without its limits restores them, and reads again after a minute', async () => {
    seen = { state: 'existing', secured: false }
    expect(await turn(await made())).toMatchObject({ pause: 60 })
    expect(asked).toEqual(['look', 'secure'])
  })

  test.each(['absent', 'foreign'] as const)('of a user who is %s twice ends it, a minute later', async (state) => {
    seen = { state }
    const id = await made()
    expect(await turn(id)).toMatchObject({ absent_at: turns.after(0), desired: 'ready', pause: 60 })
    await turns.wait(60)
    expect(await turn(id)).toMatchObject({ desired: 'gone', pause: 0 })
    expect(asked).toEqual(['look', 'look'])
  })

  test('of a user that ended in the meantime continues with the end', async () => {
    const id = await made()
    meanwhile = () => end(id)
    await turn(id)
    expect(asked).toEqual(['look', 'block', 'remove'])
  })
})

describe('an end', () => {
  const ending = async (columns: Columns<AwsUserRow> = {}) => {
    const id = await made(columns)
    await end(id)
    return id
  }

  test('of a user that was never sent to AWS completes immediately', async () => {
    const id = await add()
    await end(id)
    expect(await turn(id)).toMatchObject({
      ended_at: turns.after(0),
      first_password: null,
      account_id: null,
      pause: null,
    })
    expect(asked).toEqual([])
  })

  test('blocks and deletes until nothing is found, then completes', async () => {
    found = 'something'
    const id = await ending()
    expect(await turn(id)).toMatchObject({ blocked_at: turns.after(0), attempts: 1, absent_at: null, pause: 2 })
    expect(asked).toEqual(['block', 'remove'])
    expect(await turn(id)).toMatchObject({ attempts: 2, pause: 4 })
    await turns.change<AwsUserRow>('aws_user', id, { attempts: 5, last_error: 'Old.' })
    expect(await turn(id)).toMatchObject({ attempts: 6, pause: 60 })
    found = 'nothing'
    expect(await turn(id)).toMatchObject({
      ended_at: turns.after(0),
      absent_at: turns.after(0),
      attempts: 0,
      pause: null,
    })
    expect(asked).toEqual(['block', 'remove', 'remove', 'remove', 'remove'])
  })

  test('waits for a creation that may still complete, and no longer', async () => {
    const id = await ending({ create_sent_at: turns.after(-30) })
    expect(await turn(id)).toMatchObject({ absent_at: turns.after(0), ended_at: null, attempts: 0, pause: 15 })
    await turns.wait(59)
    expect(await turn(id)).toMatchObject({ absent_at: turns.after(0), ended_at: null, pause: 15 })
    await turns.wait(1)
    expect(await turn(id)).toMatchObject({ absent_at: turns.after(0), ended_at: turns.after(60), pause: null })
  })

  test('is retried within a minute after a failure, or when AWS requests', async () => {
    failures = { block: new CloudError('unreachable', 'No answer.') }
    const id = await ending({ attempts: 20 })
    await turns.change<AwsUserRow>('aws_user', id, { attempts: 20 })
    const failed = await turn(id)
    expect(failed).toMatchObject({ attempts: 21, last_error: 'No answer.', blocked_at: null })
    expect(failed.pause).toBeGreaterThan(20)
    expect(failed.pause).toBeLessThanOrEqual(60)
  })

  test('of a user with a leased account retires that account', async () => {
    await sql`insert into aws_account (id) values ('333333333333') on conflict do nothing`.execute(portal.owner)
    const id = await ending({ aws_account: '333333333333', leased: true })
    await sql`update aws_account set aws_user_id = ${id} where id = '333333333333'`.execute(portal.owner)
    await turn(id)
    expect(asked).toEqual(['block in 333333333333', 'remove in 333333333333', 'retire in 333333333333'])
    expect(await leased('333333333333')).toMatchObject({
      aws_user_id: null,
      retired_at: turns.after(0),
      look_at: turns.after(0),
    })
  })
})

const leased = (id: string) =>
  portal.owner.selectFrom('aws_account').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

describe('a retired account', () => {
  const reclaim = () => reclaimAccounts(portal.app.db, aws, AbortSignal.timeout(20_000))
  beforeEach(async () => {
    await sql`delete from aws_account`.execute(portal.owner)
    await sql`
      insert into aws_account (id, retired_at, look_at) values ('444444444444', ${turns.after(0)}, ${turns.after(0)})`.execute(
      portal.owner,
    )
    await sql`
      insert into aws_account (id, retired_at, look_at) values ('555555555555', ${turns.after(0)}, ${turns.after(30)})`.execute(
      portal.owner,
    )
  })

  test('is read in turn, and again after a minute', async () => {
    await reclaim()
    await reclaim()
    expect(asked).toEqual(['account in 444444444444'])
    expect(await leased('444444444444')).toMatchObject({ retired_at: turns.after(0), look_at: turns.after(60) })
    await turns.wait(60)
    await reclaim()
    expect(asked.slice(1).toSorted()).toEqual(['account in 444444444444', 'account in 555555555555'])
  })

  test('is available again once it is clean', async () => {
    account = 'clean'
    await reclaim()
    expect(await leased('444444444444')).toMatchObject({ retired_at: null, look_at: null, quarantined: null })
    expect((await leased('555555555555')).retired_at).not.toBeNull()
  })

  test('that was returned with users in it is quarantined and not read again', async () => {
    account = 'used'
    await reclaim()
    const quarantined = 'The account was returned while it still contained lab users.'
    expect(await leased('444444444444')).toMatchObject({ retired_at: turns.after(0), quarantined })
    expect((await leased('555555555555')).quarantined).toBeNull()
    await sql`delete from aws_account where id = '555555555555'`.execute(portal.owner)
    await turns.wait(120)
    await reclaim()
    expect(asked).toHaveLength(1)
  })

  test('that cannot be read stays retired, but a bug is thrown', async () => {
    failures = { account: new CloudError('unreachable', 'No answer.') }
    await reclaim()
    expect((await leased('444444444444')).retired_at).not.toBeNull()
    await turns.wait(60)
    failures = { account: new TypeError('bug') }
    await expect(reclaim()).rejects.toThrow('bug')
  })
})

test('lab users end once when their time expires, and not before', async () => {
  await sql`update aws_user set desired = 'gone' where desired = 'ready'`.execute(portal.owner)
  const expired = await made({ end_at: turns.after(60) })
  const still = await made({ end_at: turns.after(61) })
  await endExpiredAwsUsers(portal.app.db)
  expect((await row(expired)).desired).toBe('ready')
  await turns.wait(60)
  await endExpiredAwsUsers(portal.app.db)
  await endExpiredAwsUsers(portal.app.db)
  expect(await row(expired)).toMatchObject({ desired: 'gone', generation: 1, pause: 0 })
  expect((await row(still)).desired).toBe('ready')
})
