import { afterAll, expect, test } from 'vitest'
import { SERVER_MODULES } from '@trainyard/modules/server.ts'
import { sharedDatabase } from '../../test/shared.ts'
import { answer, ask, connectModules, emit, event, hook, on } from './events.ts'

const { db } = await sharedDatabase({ size: 1 })
afterAll(() => connectModules(SERVER_MODULES))

test('runs the listeners of an event in the transaction, in the order of the modules, and only if there are rows', async () => {
  const renamed = event<string>('renamed')
  const heard: string[] = []
  connectModules([
    { listens: [on(renamed, async (_tx, rows) => void heard.push(`first ${rows.join()}`))] },
    { listens: [on(event<string>('removed'), async () => void heard.push('never'))] },
    {
      listens: [
        on(renamed, async (tx, rows) => {
          heard.push(`second ${rows.join()}`)
          await tx.insertInto('organisation').values({ name: rows[0]! }).execute()
          throw new Error('refused')
        }),
      ],
    },
  ])
  await expect(db.transaction().execute((tx) => emit(tx, renamed, ['Acme', 'Beta']))).rejects.toThrow('refused')
  expect(heard).toEqual(['first Acme,Beta', 'second Acme,Beta'])
  expect(await db.selectFrom('organisation').select('name').execute()).toEqual([])
  await db.transaction().execute((tx) => emit(tx, renamed, []))
  expect(heard).toHaveLength(2)
})

test('joins the answers of all modules, and returns the default if no module answers', async () => {
  const mayStart = hook<string, readonly string[]>('mayStart', [], (first, second) => [...first, ...second])
  connectModules([{}, {}])
  expect(await ask(db, mayStart, 'vm-1')).toEqual([])
  connectModules([
    { answers: [answer(mayStart, async (_db, name) => [`${name} has no quota`])] },
    { answers: [answer(mayStart, async (_db, name) => [`${name} has no budget`])] },
  ])
  expect(await ask(db, mayStart, 'vm-1')).toEqual(['vm-1 has no quota', 'vm-1 has no budget'])
})
