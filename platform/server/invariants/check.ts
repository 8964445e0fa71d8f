import { sql } from 'kysely'
import { connectedModules } from '../core/events.ts'
import type { Db } from '../db/schema.ts'

export interface CheckedInvariant {
  readonly name: string
  readonly description: string
  readonly rows: readonly unknown[]
}

interface Options {
  readonly quiet: boolean
}

const ROWS_MAX = 5

const included = ({ quiet }: Options) =>
  connectedModules()
    .flatMap(({ tables }) => tables?.invariants ?? [])
    .filter(({ when }) => quiet || when === 'always')

export const countInvariants = (options: Options): number => included(options).length

export async function* checkInvariants(db: Db, options: Options): AsyncGenerator<CheckedInvariant> {
  for (const { name, description, query } of included(options)) {
    // The query is materialized, so that the limit does not make PostgreSQL choose a plan that is fast only if there
    // are rows.
    const limited = `with violation as materialized (${query}) select * from violation limit ${ROWS_MAX}`
    const { rows } = await sql.raw(limited).execute(db)
    yield { name, description, rows }
  }
}

export async function brokenInvariants(db: Db, options: Options): Promise<CheckedInvariant[]> {
  const broken: CheckedInvariant[] = []
  for await (const checked of checkInvariants(db, options)) if (checked.rows.length > 0) broken.push(checked)
  return broken
}
