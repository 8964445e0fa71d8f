import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makeLab } from '../../test/labs.ts'
import { sharedPortal } from '../../test/shared.ts'
import { connectedModules } from '../core/events.ts'
import type { Db } from '../db/schema.ts'
import { runInvariants } from './command.ts'

const portal = await sharedPortal()
await makeLab(portal, 'asha@labs.test', 'asha')
const ALL = connectedModules().flatMap(({ tables }) => tables?.invariants ?? [])
const ALWAYS = ALL.filter(({ when }) => when === 'always')

async function run(db: Db, ...args: string[]) {
  const lines: string[] = []
  const errors: string[] = []
  const parts = {
    withDb: <T>(callback: (db: Db) => Promise<T>) => callback(db),
    print: (line: string) => void lines.push(line),
    printError: (sentence: string) => void errors.push(sentence),
  }
  return { code: await runInvariants(parts, args), lines, errors }
}

/** Runs the command after a change, which is rolled back. */
async function runAfter(change: string, ...args: string[]) {
  const rolledBack = new Error('rolled back')
  let ended: Awaited<ReturnType<typeof run>>
  const work = portal.owner.transaction().execute(async (tx) => {
    await sql.raw(change).execute(tx)
    ended = await run(tx, ...args)
    throw rolledBack
  })
  await expect(work).rejects.toBe(rolledBack)
  return ended!
}

test('prints every invariant with OK and exits with 0 if none is violated', async () => {
  const { code, lines, errors } = await run(portal.app.db)
  expect({ code, errors }).toEqual({ code: 0, errors: [] })
  expect(lines.slice(0, -1)).toEqual(
    ALWAYS.map(({ name, description }) => `OK        ${name.padEnd(6)}  ${description}`),
  )
  const others = ALL.length - ALWAYS.length
  expect(lines.at(-1)).toBe(
    `${ALWAYS.length} invariants checked, 0 violated. With --quiet, ${others} more are checked, which hold only while nothing is changing.`,
  )
})

test('with --quiet also checks the invariants that are only satisfied while nothing is changing', async () => {
  const { code, lines } = await run(portal.app.db, '--quiet')
  expect(code).toBe(0)
  expect(lines).toHaveLength(ALL.length + 1)
  expect(lines.at(-1)).toBe(`${ALL.length} invariants checked, 0 violated.`)
})

test('prints the first rows of a violated invariant, checks the other invariants and exits with 1', async () => {
  const { code, lines } = await runAfter('update azure_user set consumed_paise = consumed_paise + 1')
  const at = lines.findIndex((line) => line.startsWith('VIOLATED'))
  expect(code).toBe(1)
  expect(lines[at]).toMatch(/^VIOLATED {2}B2 {6}A lab user's consumed credits equal the charges;/)
  expect(lines[at + 1]).toMatch(/^ {10}\{"id":"[\w-]{36}"\}$/)
  expect(lines.filter((line) => line.startsWith('OK'))).toHaveLength(ALWAYS.length - 1)
  expect(lines.at(-1)).toContain(`${ALWAYS.length} invariants checked, 1 violated.`)
})

test('prints at most five rows of a violated invariant', async () => {
  const { lines } = await runAfter(`
    with customer as (insert into organisation (name) select 'Customer ' || n from generate_series(1, 9) n returning id)
    insert into ledger_balance (organisation_id, invoice_paise, payment_paise) select id, 1, 0 from customer`)
  const at = lines.findIndex((line) => /^VIOLATED {2}L3 /.test(line))
  expect(lines.slice(at + 1).findIndex((line) => !line.startsWith('          {'))).toBe(5)
})

test('reports only with --quiet a violation that matters only while nothing is changing', async () => {
  const change =
    "update sandbox set delete_at = portal_now() - interval '16 minutes', created_at = portal_now() - interval '1 day'"
  expect((await runAfter(change)).code).toBe(0)
  const { code, lines } = await runAfter(change, '--quiet')
  expect(code).toBe(1)
  expect(lines.filter((line) => line.startsWith('VIOLATED'))).toEqual([expect.stringMatching(/^VIOLATED {2}B3 /)])
})

test('refuses to check a database with another schema version', async () => {
  expect(await runAfter("delete from applied_area where name = 'webhooks'")).toEqual({
    code: 1,
    lines: [],
    errors: ['The schema is older than this program: the tables of webhooks are missing. Run npm run upgrade.'],
  })
})

test('refuses other arguments with its usage', async () => {
  expect(await run(portal.app.db, '--quite')).toEqual({
    code: 2,
    lines: [],
    errors: ['Unknown option --quite. Usage: npm run invariants [-- --quiet]'],
  })
})
