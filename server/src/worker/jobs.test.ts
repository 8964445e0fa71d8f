import { expect, test } from 'vitest'
import { sharedDatabase } from '#test/shared.ts'
import { jobsIn } from './jobs.ts'

const { db } = await sharedDatabase({ size: 2 })

test('more transactions than there are connections put their first jobs at once, and none waits for another', async () => {
  const jobs = jobsIn(db)
  const put = (user: number) =>
    db.transaction().execute((tx) => jobs.put(tx, 'user.forgot', [{ email: `${user}@acme.test`, link: `${user}` }]))
  await expect(Promise.all([1, 2, 3, 4].map(put))).resolves.toHaveLength(4)
  await jobs.stop()
})
