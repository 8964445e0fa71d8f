/** @module-tag full */
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { KeyboardState } from '../../contract/remote.ts'
import { REMOTE_MESSAGES } from '../../contract/remote-words.ts'
import { WATCHING } from '../../contract/watching.ts'
import type { TestWatcher } from '../../test/terminal-page.ts'
import { sharedTerminals, TRAINING } from '../../test/terminals.ts'
import { until } from '@trainyard/platform/test/until.ts'
import { watchingOn } from '../../test/watching.ts'

const at = await sharedTerminals()
const by = watchingOn(at)
const LEARNER = 'one@acme.test'
const ADMIN = 'admin@acme.test'
const withoutAsking = (yes: boolean) =>
  at.admin('POST', '/azure/class/watching', { trainingName: TRAINING, withoutAsking: yes })
/** Moves refusals into the past, because a refused watcher must wait for a minute. */
const forgetRefusals = () =>
  sql`update remote_watch set closed_at = closed_at - interval '5 minutes'`.execute(at.env.db)

async function auditOf(watch: string) {
  const { rows } = await sql<{ call: string; actor_email: string; detail: Record<string, unknown> }>`
    select call, actor_email, detail from audit where detail ->> 'watch' = ${watch} order by id`.execute(at.env.db)
  return rows.map(({ call, actor_email: actor, detail }) => ({ call, actor, detail }))
}

describe('requests consent from the learner before watching', () => {
  test('and sees who watches; the watcher sees the current screen and later output', async () => {
    const { page, machine } = await at.terminal()
    expect((await page.firstMessage('opened')).watching).toBe('asked')
    page.type('echo before $USER came; echo kept secret\r')
    await at.prints(page, 'kept secret')
    const watcher = await by.watch(ADMIN, machine.name)
    expect(await watcher.firstMessage('asking')).toEqual({ kind: 'asking', learner: LEARNER })
    const [asks] = await by.shown(page, 'somebody asks', (all) => all.length === 1)
    expect(asks).toMatchObject({ email: ADMIN, sees: false, wasAsked: true, keyboard: 'none' })
    expect(watcher.received()).toBe(0)
    page.send({ kind: 'watcher', id: asks!.id, answer: 'allow' })
    expect(await watcher.firstMessage('screen')).toEqual({ kind: 'screen', learner: LEARNER, columns: 80, rows: 24 })
    await by.prints(watcher, 'before learner came')
    await by.shown(page, 'they see', ([one]) => one?.sees === true)
    page.send({ kind: 'resize', columns: 100, rows: 30 })
    expect(await watcher.firstMessage('size')).toEqual({ kind: 'size', columns: 100, rows: 30 })
    page.type('echo while $USER is watched\r')
    await by.prints(watcher, 'while learner is watched')
    watcher.close()
    await by.shown(page, 'nobody watches', (all) => all.length === 0)
    const rows = await until(
      'its end is written',
      () => auditOf(asks!.id),
      (all) => all.length === 2,
    )
    expect(rows.map(({ call, actor }) => [call, actor])).toEqual([
      ['remote.watchBegin', ADMIN],
      ['remote.watchEnd', ADMIN],
    ])
    expect(rows[0]!.detail).toMatchObject({ machine: machine.name, learner: LEARNER, watcher: ADMIN, consent: 'given' })
    expect(rows[1]!.detail).toMatchObject({ learner: LEARNER, ended: WATCHING.left, seconds: expect.any(Number) })
    expect(JSON.stringify(rows)).not.toContain('secret')
  })

  test('and can refuse: nothing is shown, and the watcher can ask again only after some time', async () => {
    const { page, machine } = await at.terminal()
    const watcher = await by.watch(ADMIN, machine.name)
    const [asks] = await by.shown(page, 'somebody asks', (all) => all.length === 1)
    page.send({ kind: 'watcher', id: asks!.id, answer: 'end' })
    expect((await watcher.firstMessage('ended')).sentence).toBe(WATCHING.refused(LEARNER))
    expect(watcher.received()).toBe(0)
    const rows = await until(
      'it is written',
      () => auditOf(asks!.id),
      (all) => all.length === 1,
    )
    expect(rows[0]).toMatchObject({ call: 'remote.watchEnd', actor: LEARNER, detail: { watcher: ADMIN, seconds: 0 } })
    const again = await by.watch(ADMIN, machine.name)
    expect((await again.firstMessage('ended')).sentence).toBe(WATCHING.refusedRecently)
  })

  test('and can withdraw consent at any time', async () => {
    await forgetRefusals()
    const { page, machine } = await at.terminal()
    const { watcher, id } = await by.allowed(page, ADMIN, machine.name)
    page.send({ kind: 'watcher', id, answer: 'end' })
    expect((await watcher.firstMessage('ended')).sentence).toBe(WATCHING.consentWithdrawn(LEARNER))
    await watcher.closed
    await forgetRefusals()
  })
})

test('does not ask informed learners; they cannot end watching, but see who watches', async () => {
  const early = await at.terminal()
  expect((await withoutAsking(true)).status).toBe(200)
  // Learners whose session started with consent required are still asked.
  const first = await by.watch(ADMIN, early.machine.name)
  await first.firstMessage('asking')
  first.close()
  early.page.close()
  await until('it is closed', at.rows, ({ open }) => open === 0)
  const { page, machine } = await at.terminal()
  expect((await page.firstMessage('opened')).watching).toBe('unasked')
  const watcher = await by.watch(ADMIN, machine.name)
  await watcher.firstMessage('screen')
  const [sees] = await by.shown(page, 'somebody watches', (all) => all.length === 1)
  expect(sees).toMatchObject({ email: ADMIN, sees: true, wasAsked: false })
  page.send({ kind: 'watcher', id: sees!.id, answer: 'end' })
  page.type('echo $USER goes on\r')
  await by.prints(watcher, 'learner goes on')
  expect((await auditOf(sees!.id))[0]!.detail).toMatchObject({ consent: 'informed' })
  expect((await withoutAsking(false)).status).toBe(200)
})

test('requires consent for an instructor, and ends the watch if the instructor is removed', async () => {
  const instructor = { trainingName: TRAINING, email: 'two@acme.test' }
  expect((await at.admin('POST', '/azure/class/instructors', instructor)).status).toBe(200)
  expect((await withoutAsking(true)).status).toBe(200)
  const { page, machine } = await at.terminal()
  expect((await page.firstMessage('opened')).watching).toBe('unasked')
  const { watcher } = await by.allowed(page, 'two@acme.test', machine.name)
  page.type('echo $USER allows it\r')
  await by.prints(watcher, 'learner allows it')
  await at.admin('DELETE', `/azure/class/instructors?${new URLSearchParams(instructor).toString()}`)
  expect((await watcher.firstMessage('ended')).sentence).toBe(REMOTE_MESSAGES.outOfScope(machine.name))
  expect((await withoutAsking(false)).status).toBe(200)
})

describe('the keyboard', () => {
  const keyboardIs = (wanted: KeyboardState, watcher: TestWatcher) =>
    until(
      `it is ${wanted}`,
      async () => watcher.lastMessage('keyboard')?.state,
      (state) => state === wanted,
    )

  test("is given with the learner's consent, is then exclusive, and is returned", async () => {
    const { page, machine } = await at.terminal()
    const { watcher, id } = await by.allowed(page, ADMIN, machine.name)
    watcher.type('echo not $USER yet\r')
    watcher.send({ kind: 'keyboard', want: true })
    await by.shown(page, 'they ask for it', ([one]) => one?.keyboard === 'asked')
    page.send({ kind: 'watcher', id, answer: 'giveKeyboard' })
    await keyboardIs('held', watcher)
    page.type('echo nor $USER now\r')
    watcher.type('echo shown to $USER\r')
    await at.prints(page, 'shown to learner')
    watcher.send({ kind: 'keyboard', want: false })
    await by.shown(page, 'it is back', ([one]) => one?.keyboard === 'none')
    page.type('echo typed by $USER again\r')
    await at.prints(page, 'typed by learner again')
    expect(page.printed()).not.toMatch(/not learner yet|nor learner now/)
    const calls = await until(
      'it is written',
      () => auditOf(id),
      (all) => all.length === 3,
    )
    expect(calls.map(({ call, actor }) => [call, actor])).toEqual([
      ['remote.watchBegin', ADMIN],
      ['remote.giveKeyboard', LEARNER],
      ['remote.takeKeyboard', ADMIN],
    ])
  })

  test('can be taken back by the learner, and returns when the watcher leaves', async () => {
    const { page, machine } = await at.terminal()
    const { watcher, id } = await by.allowed(page, ADMIN, machine.name)
    page.send({ kind: 'watcher', id, answer: 'giveKeyboard' })
    await keyboardIs('held', watcher)
    page.send({ kind: 'watcher', id, answer: 'takeKeyboard' })
    await keyboardIs('none', watcher)
    watcher.type('echo late $USER\r')
    page.send({ kind: 'watcher', id, answer: 'giveKeyboard' })
    watcher.close()
    await by.shown(page, 'nobody watches', (all) => all.length === 0)
    page.type('echo mine $USER\r')
    await at.prints(page, 'mine learner')
    expect(page.printed()).not.toContain('late learner')
  })

  test('ignores input of a removed watcher whose page continues to send input', async () => {
    const { page, machine } = await at.terminal()
    const { watcher, id } = await by.allowed(page, ADMIN, machine.name)
    page.send({ kind: 'watcher', id, answer: 'giveKeyboard' })
    await keyboardIs('held', watcher)
    watcher.stopReading()
    page.send({ kind: 'watcher', id, answer: 'end' })
    await by.shown(page, 'nobody watches', (all) => all.length === 0)
    for (const tried of [1, 2, 3]) {
      watcher.type(`echo still ${tried} $USER\r`)
      page.type(`echo mine ${tried} $USER\r`)
      await at.prints(page, `mine ${tried} learner`)
    }
    expect(page.printed()).not.toMatch(/still \d learner/)
  })
})

describe('a watch ends', () => {
  test('when the watcher logs out or is no longer an admin', async () => {
    const { page, machine } = await at.terminal()
    const { watcher } = await by.allowed(page, ADMIN, machine.name)
    await fetch(`${at.url}/user/logout`, {
      method: 'POST',
      headers: { authorization: `Bearer ${at.tokens.get(ADMIN)}` },
    })
    expect((await watcher.firstMessage('ended')).sentence).toBe(REMOTE_MESSAGES.signedOut)
    at.tokens.set(ADMIN, (await at.env.credentials(ADMIN)).token)
    const { watcher: second } = await by.allowed(page, ADMIN, machine.name)
    await sql`update portal_user set role = 'user' where email = ${ADMIN}`.execute(at.env.db)
    expect((await second.firstMessage('ended')).sentence).toBe(REMOTE_MESSAGES.outOfScope(machine.name))
    await sql`update portal_user set role = 'admin' where email = ${ADMIN}`.execute(at.env.db)
  })

  test.each([
    [
      'logs out',
      async () => {
        await fetch(`${at.url}/user/logout`, {
          method: 'POST',
          headers: { authorization: `Bearer ${at.tokens.get(LEARNER)}` },
        })
        at.tokens.set(LEARNER, (await at.env.credentials(LEARNER)).token)
      },
    ],
    [
      'is shut out by the window',
      async () => {
        await sql`update training set access_start = (portal_now() at time zone 'Asia/Kolkata' - interval '2 hours')::time,
        access_stop = (portal_now() at time zone 'Asia/Kolkata' - interval '1 hour')::time`.execute(at.env.db)
      },
    ],
    [
      'has their machine powered off',
      async (machine: { name: string; resourceGroup: string }) => {
        const { name, resourceGroup } = machine
        await at.admin('PATCH', '/azure/machines', [{ operation: 0 }, { name, resourceGroup }])
      },
    ],
  ])('when the learner %s', async (_how, happens) => {
    const { page, machine } = await at.terminal()
    const { watcher } = await by.allowed(page, ADMIN, machine.name)
    await happens(machine)
    expect((await watcher.firstMessage('ended')).sentence).toBe(WATCHING.closed(LEARNER))
    await watcher.closed
    await until(
      'it is written',
      async () => (await openWatches()).length,
      (open) => open === 0,
    )
    await sql`update training set access_start = null, access_stop = null`.execute(at.env.db)
  })
})

const openWatches = async () => (await sql`select id from remote_watch where closed_at is null`.execute(at.env.db)).rows

test('leaves no errors in the background and no open rows', async () => {
  expect(at.env.bugs).toEqual([])
  for (const page of at.pages) page.close()
  await until('all rows are closed', at.rows, ({ open }) => open === 0)
})
