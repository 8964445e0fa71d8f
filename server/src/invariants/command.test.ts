import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makeLab } from '#test/labs.ts'
import { sharedPortal } from '#test/shared.ts'
import { runInvariants } from './command.ts'
import { INVARIANTS } from './queries.ts'
import { SCHEDULE_INVARIANTS } from './schedule-queries.ts'

const portal = await sharedPortal()
await makeLab(portal, 'asha@labs.test', 'asha')
const ALL = [...INVARIANTS, ...SCHEDULE_INVARIANTS]
const ALWAYS = ALL.filter(({ when }) => when === 'always')

/** Runs the command with the login of API and worker. */
async function run(...args: string[]) {
  const lines: string[] = []
  const errors: string[] = []
  const code = await runInvariants(
    {
      withDb: (work) => work(portal.app.db),
      print: (line) => void lines.push(line),
      printError: (sentence) => void errors.push(sentence),
    },
    args,
  )
  return { code, lines, errors }
}

/** Runs work while a statement's change is in the database, and restores the earlier state afterwards. */
async function whileChanged<T>(change: string, restore: string, work: () => Promise<T>): Promise<T> {
  await sql.raw(change).execute(portal.owner)
  try {
    return await work()
  } finally {
    await sql.raw(restore).execute(portal.owner)
  }
}

test('prints every invariant with OK and exits with 0 if none is violated', async () => {
  const { code, lines, errors } = await run()
  expect({ code, errors }).toEqual({ code: 0, errors: [] })
  expect(lines.slice(0, -1)).toEqual(
    ALWAYS.map(({ name, description }) => `OK        ${name.padEnd(6)}  ${description}`),
  )
  expect(lines.at(-1)).toBe(
    `${ALWAYS.length} invariants checked, 0 violated. --quiet also checks the ${ALL.length - ALWAYS.length} that apply only while nothing is changing.`,
  )
})

test('checks also those that apply while nothing is changing with --quiet', async () => {
  const { code, lines } = await run('--quiet')
  expect(code).toBe(0)
  expect(lines).toHaveLength(ALL.length + 1)
  expect(lines.at(-1)).toBe(`${ALL.length} invariants checked, 0 violated.`)
})

test('prints the first rows of a violated invariant, checks the others and exits with 1', async () => {
  const change = 'update azure_user set consumed_paise = consumed_paise + 1'
  const { code, lines } = await whileChanged(change, 'update azure_user set consumed_paise = consumed_paise - 1', () =>
    run(),
  )
  const at = lines.findIndex((line) => line.startsWith('VIOLATED'))
  expect(code).toBe(1)
  expect(lines[at]).toMatch(/^VIOLATED {2}B2 {6}A lab user's consumed credits equal the charges;/)
  expect(lines[at + 1]).toMatch(/^ {10}\{"id":"[\w-]{36}"\}$/)
  expect(lines.filter((line) => line.startsWith('OK'))).toHaveLength(ALWAYS.length - 1)
  expect(lines.at(-1)).toContain(`${ALWAYS.length} invariants checked, 1 violated.`)
})

test('reports a violation of a quiet invariant with --quiet only', async () => {
  const change =
    "update sandbox set delete_at = portal_now() - interval '16 minutes', created_at = portal_now() - interval '1 day'"
  const restore = "update sandbox set delete_at = portal_now() + interval '1 day', created_at = portal_now()"
  const [without, included] = await whileChanged(
    change,
    restore,
    async () => [await run(), await run('--quiet')] as const,
  )
  expect([without.code, included.code]).toEqual([0, 1])
  expect(included.lines).toContainEqual(expect.stringMatching(/^VIOLATED {2}B3 /))
})

test('is not cut off by a time limit for statements', async () => {
  const settings = (value: string) => `do $$ begin
    execute format('alter database %I set statement_timeout = ${value}', current_database());
  end $$`
  await sql.raw(settings("'1ms'")).execute(portal.owner)
  try {
    const { withApp } = await import('#test/query-database.ts').then(() => ({ withApp: null }))
    expect(withApp).toBeNull()
  } finally {
    await sql.raw(settings('default')).execute(portal.owner)
  }
})

test('refuses other arguments with its usage', async () => {
  expect(await run('--quite')).toEqual({
    code: 2,
    lines: [],
    errors: ['Unknown option --quite. Usage: npm run invariants [-- --quiet]'],
  })
})
