import type { Generated, ColumnType, Selectable } from 'kysely'

export interface SetUpTryTable {
  what: 'connections' | 'mail'
  attempt: Generated<number>
  tried_at: Generated<Date>
  answered_at: Date | null
  answer: ColumnType<unknown, string | null | undefined, string | null>
}

export type SetUpTryRow = Selectable<SetUpTryTable>

export interface SetUpTables {
  set_up_try: SetUpTryTable
}
declare module '@trainyard/platform/server/db/schema.ts' {
  interface Schema extends SetUpTables {}
}
