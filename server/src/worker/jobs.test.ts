import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { sharedDatabase } from '#test/shared.ts'
import { jobQueueIn } from './jobs.ts'

const { db } = await sharedDatabase({ size: 2 })
const jobs = jobQueueIn(db)
afterAll(() => jobs.stop())

test('does not deadlock if more transactions than connections each enqueue their first job', async () => {
  const emails = [1, 2, 3, 4].map((n) => `learner${n}@acme.test`)
  const enqueueMail = (email: string) =>
    db.transaction().execute((tx) => jobs.enqueue(tx, 'user.forgot', [{ email, link: email }]))
  await Promise.all(emails.map(enqueueMail))
  const { rows } = await sql<{ email: string }>`
    select data ->> 'email' as email from pgboss.job where name = 'user.forgot' order by email`.execute(db)
  expect(rows.map(({ email }) => email)).toEqual(emails)
})
