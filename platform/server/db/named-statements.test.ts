import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { sharedDatabase } from '../../test/shared.ts'
import { connect } from './client.ts'
import { StatementNames } from './named-statements.ts'

const { db: owner, url } = await sharedDatabase()

test.each([
  ['select "id" from "training" where "id" = $1', true],
  ['with a as (select 1) select "x" from a where $1', true],
  ['update "session" set "address" = $1', true],
  ['select count(*) from "machine" where $1', true],
  ['select * from "machine" where $1', false],
  ['select "m".* from "machine" as "m" where $1', false],
  ['select "id", m.* from "machine" as "m" where $1', false],
  ['select distinct on ("id") * from "machine" where $1', false],
  ['delete from "job" where "id" = $1 returning *', false],
  ['listen machine_changed', false],
] as const)('%s is named after three uses: %s', (text, isNamed) => {
  const names = new StatementNames()
  expect([names.nameOf(text), names.nameOf(text)]).toEqual([undefined, undefined])
  expect(typeof names.nameOf(text)).toBe(isNamed ? 'string' : 'undefined')
})

test('gives at most 300 statements of a process a name', () => {
  const names = new StatementNames()
  const named = Array.from({ length: 400 }, (_, i) => `select ${i} where $1`).filter((text) => {
    names.nameOf(text)
    names.nameOf(text)
    return names.nameOf(text) !== undefined
  })
  expect(named).toHaveLength(300)
})

test('plans a frequent statement once per connection, and still runs after a column changes', async () => {
  await sql`create table planned (id int, what int)`.execute(owner)
  const db = connect({ connectionString: url }, { size: 1, as: 'app' })
  try {
    const read = async () => (await sql<{ what: unknown }>`select what from planned where id = ${1}`.execute(db)).rows
    const inserted = sql`insert into planned values (1, 2)`
    await inserted.execute(owner)
    for (let run = 0; run < 4; run++) expect(await read()).toEqual([{ what: 2 }])
    const prepared = await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(db)
    expect(prepared.rows).toEqual([{ statement: 'select what from planned where id = $1' }])

    await sql`alter table planned alter column what type text using 'new'`.execute(owner)
    await expect(read()).rejects.toThrow('cached plan must not change result type')
    for (let run = 0; run < 4; run++) expect(await read()).toEqual([{ what: 'new' }])
  } finally {
    await db.destroy()
  }
})
