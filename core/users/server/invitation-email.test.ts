import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { startEmulator } from '@trainyard/modules/emulator.ts'
import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import { countQueries } from '@trainyard/platform/test/count-queries.ts'
import { startTestPortal, type TestPortal } from '@trainyard/platform/test/portal.ts'
import { removeFolder } from '@trainyard/platform/test/remove-folder.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import type { JobQueue } from '@trainyard/platform/server/run/jobs/job.ts'
import { smtpMail } from '@trainyard/platform/server/mail/smtp-mail.ts'
import { ensureLearners } from './invite-users.ts'
import { sendInvitation } from './invitation-email.ts'

const dir = mkdtempSync(join(tmpdir(), 'trainyard-invite-'))
let portal: TestPortal
let emulator: Awaited<ReturnType<typeof startEmulator>>
let school: OrganisationId
let other: OrganisationId

beforeAll(async () => {
  portal = await startTestPortal(inject('testCluster'))
  emulator = await startEmulator({ port: 0, smtpPort: 0, dataDir: dir, latency: 0 })
  const rows = await portal.app.db
    .insertInto('organisation')
    .values([
      { name: 'R&D <School>', logo: null },
      { name: 'Other', logo: null },
    ])
    .returning('id')
    .execute()
  school = rows[0]!.id
  other = rows[1]!.id
})
afterAll(async () => {
  await portal.close()
  await emulator.stop()
  removeFolder(dir)
})

/** Returns the invitations enqueued by ensureLearners. */
async function invite(organisation: OrganisationId, emails: readonly string[]): Promise<string[]> {
  return (await invited(portal.app.db, organisation, emails)).enqueued
}

async function invited(db: Db, organisation: OrganisationId, emails: readonly string[]) {
  const enqueued: string[] = []
  const counted = countQueries(db)
  const jobs: JobQueue = {
    async enqueue(_tx, _name, data) {
      enqueued.push(...data.flatMap((row) => ('invitation' in row ? String(row.invitation) : [])))
    },
  }
  await counted.db.transaction().execute((tx) => ensureLearners(tx, jobs, organisation, emails))
  return { enqueued, queries: counted.count() }
}

let attempt = 0

test('creates and invites a thousand learners once with the queries of one, also concurrently', async () => {
  // A retry needs new addresses, because those of the earlier attempt exist.
  attempt += 1
  const emails = Array.from({ length: 1_000 }, (_, i) => `learner${attempt}-${i}@school.test`)
  const ofOne = await invited(portal.app.db, school, [`one${attempt}@school.test`])
  const ofMany = await invited(portal.app.db, school, emails)
  expect(ofMany.enqueued).toHaveLength(1_000)
  expect(ofMany.queries).toBe(ofOne.queries)
  expect(await invite(school, emails)).toEqual([])
  const [some, more] = await Promise.all([
    invite(school, [`x${attempt}@school.test`, `y${attempt}@school.test`, `z${attempt}@school.test`]),
    invite(school, [`z${attempt}@school.test`, `y${attempt}@school.test`, `x${attempt}@school.test`]),
  ])
  expect(some.length + more.length).toBe(3)
})

test('rejects and names an e-mail of another organisation, and creates and invites no user', async () => {
  await invite(other, ['yours@other.test'])
  await invite(other, ['theirs@other.test'])
  // The address that is first by name is refused, so that the message is deterministic.
  const refused = invite(school, ['fresh@school.test', 'yours@other.test', 'theirs@other.test'])
  await expect(refused).rejects.toThrow('theirs@other.test cannot be added to this organisation.')
  const fresh = await portal.app.db
    .selectFrom('portal_user')
    .where('email', '=', 'fresh@school.test')
    .selectAll()
    .execute()
  expect(fresh).toEqual([])
})

test('sends a new invitation to a user whose invitation has expired', async () => {
  expect(await invite(school, ['late@school.test'])).toHaveLength(1)
  await portal.owner
    .updateTable('invitation')
    .set({ expires_at: new Date(0) })
    .execute()
  expect(await invite(school, ['late@school.test'])).toHaveLength(1)
})

test('mails the organisation’s name and a single-use link that stays the same when resent', async () => {
  const { db, seal } = portal.app
  const publicUrl = 'https://portal.test'
  const mail = smtpMail({ url: `smtp://127.0.0.1:${emulator.smtpPort}`, from: 'Trainyard <portal@trainyard.test>' })
  const send = sendInvitation({ db, mail, seal, publicUrl })
  const [invitation] = await invite(school, ['email@school.test'])
  const again = new AbortController()
  await send({ invitation: invitation! }, again.signal)
  await send({ invitation: invitation! }, again.signal)

  const truth = (await (await fetch(`${emulator.url}/_truth`)).json()) as {
    mails: { to: string[]; subject: string; text: string; html: string }[]
  }
  const [email, repeat] = truth.mails.filter(({ to }) => to.includes('email@school.test'))
  expect(email!.subject).toBe('Your invitation to the labs of R&D <School>')
  expect(email!.html).toContain('the labs of R&amp;D &lt;School&gt;')
  expect(repeat!.text).toBe(email!.text)
  const token = /https:\/\/portal\.test\/invitation#token=(\S+)/.exec(email!.text)![1]!
  const set = () => portal.request('POST', '/user/password', { body: { token, password: 'mine alone now' } })
  expect((await set()).status).toBe(200)
  expect((await set()).status).toBe(404)

  await send({ invitation: invitation! }, again.signal)
  const after = (await (await fetch(`${emulator.url}/_truth`)).json()) as typeof truth
  expect(after.mails).toHaveLength(truth.mails.length)
})
