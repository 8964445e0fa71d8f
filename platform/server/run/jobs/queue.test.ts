import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { sharedDatabase } from '../../../test/shared.ts'
import { jobQueueIn, startJobRunner } from './queue.ts'
import { userInvite } from '@trainyard/users/server/invitation-email.ts'
import { userForgot } from '@trainyard/users/server/password-reset.ts'
import type { Run } from './job.ts'

const { db } = await sharedDatabase({ size: 2 })
const jobs = jobQueueIn(db)
afterAll(() => jobs.stop())

test('does not deadlock if more transactions than connections each enqueue their first job', async () => {
  const emails = [1, 2, 3, 4].map((n) => `learner${n}@acme.test`)
  const enqueueMail = (email: string) =>
    db.transaction().execute((tx) => jobs.enqueue(tx, userForgot, [{ email, link: email }]))
  await Promise.all(emails.map(enqueueMail))
  const { rows } = await sql<{ email: string }>`
    select data ->> 'email' as email from pgboss.job where name = 'user.forgot' order by email`.execute(db)
  expect(rows.map(({ email }) => email)).toEqual(emails)
})

test('the invitation of one organisation does not wait for the many of another', async () => {
  const large = Array.from({ length: 45 }, (_, n) => ({ invitation: `large ${n}` }))
  const enqueue = (some: typeof large, cause: string) =>
    db.transaction().execute((tx) => jobs.enqueue(tx, userInvite, some, cause))
  await enqueue(large.slice(0, 30), 'large')
  for (const one of large.slice(30)) await enqueue([one], 'large')
  await enqueue([{ invitation: 'small' }], 'small')
  const sent: string[] = []
  const run: Run<typeof userInvite> = async ({ invitation }) => void sent.push(invitation)
  const bugs: unknown[] = []
  const runner = await startJobRunner({
    db,
    jobs: [{ job: userInvite, run }],
    onBug: (bug) => bugs.push(bug),
    logMessage: () => {},
  })
  try {
    await expect.poll(() => sent).toHaveLength(large.length + 1)
    // The first batch has the oldest jobs of both.
    expect(sent.indexOf('small')).toBeLessThan(10)
  } finally {
    await runner.stop()
  }
  expect(bugs).toEqual([])
})
