import { afterEach, expect, inject, test, vi } from 'vitest'
import { connect } from '../db/client.ts'
import { createTestDatabase } from '../db/embedded/test-database.ts'
import { startKeyKeeper } from './key-keeper.ts'

afterEach(() => {
  vi.useRealTimers()
})

test('it looks every few seconds, and no more once it is stopped', async () => {
  const database = await createTestDatabase(inject('testCluster'))
  const db = connect({ connectionString: database.appUrl }, { size: 1, as: 'app' })
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const bugs: unknown[] = []
  const shells = {
    keyOf: () => expect.unreachable('there is no machine'),
    open: () => expect.unreachable('it opens no shell'),
  }
  const keeper = startKeyKeeper({ db, shells, onFault: (bug) => bugs.push(bug) })
  await vi.advanceTimersByTimeAsync(5_000)
  await keeper.stop()
  expect(vi.getTimerCount()).toBe(0)
  await db.destroy()
  // A look would fail now, as the database is gone.
  await vi.advanceTimersByTimeAsync(60_000)
  expect(bugs).toEqual([])
  await database.drop()
})
