import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import type { SandboxUserId } from '@trainyard/contract/words/ids.ts'
import type { AwsUserRow } from '../../../db/schema/aws-lab.ts'
import type { AwsUserPlace, AwsUsers, AwsUserSeen } from '../../../providers/aws-users.ts'
import { CloudError } from '../../../providers/errors.ts'
import type { Columns } from '../../../reconcile/outcome.ts'
import { startTestPortal, type TestPortal } from '#test/portal.ts'
import { type Turns, turnsOf } from '#test/turn.ts'
import { takeBackAccounts } from './lease.ts'
import { awsUserKind } from './step.ts'
import { endAwsUsers, endAwsUsersWhoseTimeIsUp } from './wake.ts'

let portal: TestPortal
let turns: Turns
let count = 0
let asked: string[]
let seen: AwsUserSeen
let found: 'something' | 'nothing'
let account: 'away' | 'clean' | 'used'
let failures: Readonly<Record<string, Error>>
let meanwhile: () => Promise<unknown>

/** AWS, which says what a test wants seen and fails the calls that it is told to. */
const note = async (call: string, of: string | null) => {
  asked.push(of === null ? call : `${call} in ${of}`)
  await meanwhile()
  if (failures[call] !== undefined) throw failures[call]
}
const aws: AwsUsers = {
  async create(user) {
    await note('create', user.account)
    asked.push(`until ${user.until.toISOString()} with ${user.password}`)
    return { account: user.account ?? '111111111111' }
  },
  secure: (user) => note('secure', user.account),
  async look(at) {
    await note('look', at.account)
    return seen
  },
  block: (at: AwsUserPlace) => note('block', at.account),
  async remove(at) {
    await note('remove', at.account)
    return found
  },
  list: async () => [],
  retire: (of) => note('retire', of),
  async lookAtAccount(of) {
    await note('account', of)
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

/** One who was made some time ago. */
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
  test('is made with its end and password, and looked at ten minutes later', async () => {
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

  test('is made in the account that is leased', async () => {
    await turn(await add({ aws_account: '222222222222', leased: true }))
    expect(asked[0]).toBe('create in 222222222222')
  })

  test('who is ended while being made is blocked and deleted at once', async () => {
    const id = await add()
    meanwhile = () => end(id)
    await turn(id)
    expect(asked.filter((call) => !call.startsWith('until'))).toEqual(['create', 'block', 'remove'])
  })

  test('who is ended before the creation is sent is not made', async () => {
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

  test('whose creation fails is tried again after a pause, with its trace in the row', async () => {
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

describe('a look', () => {
  test('at one whose limits stand changes nothing', async () => {
    expect(await turn(await made({ absent_at: turns.after(-60) }))).toMatchObject({ absent_at: null, pause: 600 })
    expect(asked).toEqual(['look'])
  })

  test('at one whose limits do not puts them back, and looks again in a minute', async () => {
    seen = { state: 'existing', secured: false }
    expect(await turn(await made())).toMatchObject({ pause: 60 })
    expect(asked).toEqual(['look', 'secure'])
  })

  test.each(['absent', 'foreign'] as const)('at one who is %s twice ends them, a minute later', async (state) => {
    seen = { state }
    const id = await made()
    expect(await turn(id)).toMatchObject({ absent_at: turns.after(0), desired: 'ready', pause: 60 })
    await turns.wait(60)
    expect(await turn(id)).toMatchObject({ desired: 'gone', pause: 0 })
    expect(asked).toEqual(['look', 'look'])
  })

  test('at one who is ended meanwhile goes on with the end', async () => {
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

  test('of one who was never asked for at AWS is over at once', async () => {
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

  test('blocks, and deletes until nothing is found; then it is over', async () => {
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

  test('waits for a creation that may still come, and no longer', async () => {
    const id = await ending({ create_sent_at: turns.after(-30) })
    expect(await turn(id)).toMatchObject({ absent_at: turns.after(0), ended_at: null, attempts: 0, pause: 15 })
    await turns.wait(59)
    expect(await turn(id)).toMatchObject({ absent_at: turns.after(0), ended_at: null, pause: 15 })
    await turns.wait(1)
    expect(await turn(id)).toMatchObject({ absent_at: turns.after(0), ended_at: turns.after(60), pause: null })
  })

  test('that fails is tried again within a minute, or as late as AWS asks', async () => {
    failures = { block: new CloudError('unreachable', 'No answer.') }
    const id = await ending({ attempts: 20 })
    await turns.change<AwsUserRow>('aws_user', id, { attempts: 20 })
    const failed = await turn(id)
    expect(failed).toMatchObject({ attempts: 21, last_error: 'No answer.', blocked_at: null })
    expect(failed.pause).toBeGreaterThan(20)
    expect(failed.pause).toBeLessThanOrEqual(60)
  })

  test('of one with an account of their own hands it to be cleaned', async () => {
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

describe('an account that is away', () => {
  const take = () => takeBackAccounts(portal.app.db, aws, AbortSignal.timeout(20_000))
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

  test('is looked at in its turn, and again a minute later', async () => {
    await take()
    await take()
    expect(asked).toEqual(['account in 444444444444'])
    expect(await leased('444444444444')).toMatchObject({ retired_at: turns.after(0), look_at: turns.after(60) })
    await turns.wait(60)
    await take()
    expect(asked.slice(1).toSorted()).toEqual(['account in 444444444444', 'account in 555555555555'])
  })

  test('comes back once it is clean', async () => {
    account = 'clean'
    await take()
    expect(await leased('444444444444')).toMatchObject({ retired_at: null, look_at: null, quarantined: null })
    expect((await leased('555555555555')).retired_at).not.toBeNull()
  })

  test('that comes back with users in it is given to nobody, and not looked at again', async () => {
    account = 'used'
    await take()
    const quarantined = 'It was brought back with lab users in it still.'
    expect(await leased('444444444444')).toMatchObject({ retired_at: turns.after(0), quarantined })
    expect((await leased('555555555555')).quarantined).toBeNull()
    await sql`delete from aws_account where id = '555555555555'`.execute(portal.owner)
    await turns.wait(120)
    await take()
    expect(asked).toHaveLength(1)
  })

  test('and can not be seen stays away; a bug of ours is told', async () => {
    failures = { account: new CloudError('unreachable', 'No answer.') }
    await take()
    expect((await leased('444444444444')).retired_at).not.toBeNull()
    await turns.wait(60)
    failures = { account: new TypeError('bug') }
    await expect(take()).rejects.toThrow('bug')
  })
})

test('lab users end when their days are over, each once, and nobody before', async () => {
  await sql`update aws_user set desired = 'gone' where desired = 'ready'`.execute(portal.owner)
  const over = await made({ end_at: turns.after(60) })
  const still = await made({ end_at: turns.after(61) })
  await endAwsUsersWhoseTimeIsUp(portal.app.db)
  expect((await row(over)).desired).toBe('ready')
  await turns.wait(60)
  await endAwsUsersWhoseTimeIsUp(portal.app.db)
  await endAwsUsersWhoseTimeIsUp(portal.app.db)
  expect(await row(over)).toMatchObject({ desired: 'gone', generation: 1, pause: 0 })
  expect((await row(still)).desired).toBe('ready')
})
