import { expect, test } from 'vitest'
import { contract } from './contract.ts'
import { columnsIn } from '@trainyard/platform/server/core/tables.ts'
import { auditLabel } from '@trainyard/platform/contract/audit-labels.ts'
import { queryDatabase } from '@trainyard/platform/test/query-database.ts'
import { sharedDatabase } from '@trainyard/platform/test/shared.ts'
import { SERVER_MODULES } from './server.ts'

const { url } = await sharedDatabase()

/** Parts of which the handlers are only built, not run. */
const absent: object = new Proxy({}, { get: () => absent })
const parts = new Proxy(
  { publicUrl: 'https://portal.test' },
  { get: (known: object, name) => Reflect.get(known, name) ?? absent },
) as never

test('each module has a name of its own and requires only modules before it', () => {
  const names = SERVER_MODULES.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  const notBefore = SERVER_MODULES.flatMap(({ name, requires = [] }, index) =>
    requires.filter((required) => !names.slice(0, index).includes(required)).map((required) => `${name}: ${required}`),
  )
  expect(notBefore).toEqual([])
})

test('each call of the contract has exactly one handler', () => {
  const handled = SERVER_MODULES.flatMap(({ calls }) =>
    Object.entries(calls?.(parts) ?? {}).flatMap(([group, some]) =>
      Object.keys(some).map((name) => `${group}.${name}`),
    ),
  )
  const calls = Object.entries(contract).flatMap(([group, some]) => Object.keys(some).map((name) => `${group}.${name}`))
  expect(handled.toSorted()).toEqual(calls.toSorted())
})

test('an unknown call is shown by its name', () => {
  expect(auditLabel('ledger.add')).not.toBe('ledger.add')
  expect(auditLabel('later.call')).toBe('later.call')
})

test('every column of the database is in the personal data of exactly one module, in exactly one list', async () => {
  const rows = (await queryDatabase(
    url,
    `
    select c.relname as "table", attname as "column",
      a.atttypid = any('{text,text[],varchar,jsonb,bytea,inet,cidr,cidr[]}'::regtype[]) as reads,
      exists (select from pg_constraint f where f.conrelid = c.oid and f.confrelid = 'portal_user'::regclass
        and f.contype = 'f' and a.attnum = f.conkey[1]) as owns
    from pg_class c join pg_attribute a on a.attrelid = c.oid and attnum > 0 and not attisdropped
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
      and relname <> 'applied_area'`,
  )) as { table: string; column: string | null; reads: boolean; owns: boolean }[]
  const entries = SERVER_MODULES.flatMap(({ tables }) => Object.entries(tables?.personal ?? {}))
  const personal = Object.fromEntries(entries)
  const problems: string[] = []
  for (const [table, columns] of Map.groupBy(rows, (row) => row.table)) {
    const data = personal[table]
    if (data === undefined) {
      problems.push(`${table} is not listed`)
      continue
    }
    const listed = [data.mentions, data.details, data.secrets, data.requiredByLaw, data.other].flatMap(columnsIn)
    const real = columns.filter(({ reads }) => reads).map(({ column }) => column!)
    for (const column of real) {
      const times = listed.filter((name) => name === column).length
      if (times !== 1) problems.push(`${table}.${column} is in ${times} lists`)
    }
    for (const name of listed) if (!real.includes(name)) problems.push(`${table}.${name} is listed and no column`)
    if (data.owner === null && columns.some(({ owns }) => owns)) problems.push(`${table} refers to accounts`)
    if (data.owner !== null && (data.title === undefined || data.erase === undefined))
      problems.push(`${table} has no rule`)
  }
  expect(problems).toEqual([])
  const tables = [...new Set(rows.map(({ table }) => table))]
  expect(entries.map(([table]) => table).toSorted()).toEqual(tables.toSorted())
})
