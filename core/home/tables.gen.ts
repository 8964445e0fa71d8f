import type { Generated, Selectable } from 'kysely'

export interface UpdateNoticeTable {
  id: Generated<boolean>
  version: string
  url: string
  seen_at: Generated<Date>
}

export type UpdateNoticeRow = Selectable<UpdateNoticeTable>

export interface HomeTables {
  update_notice: UpdateNoticeTable
}
declare module '@trainyard/platform/server/db/schema.ts' {
  interface Schema extends HomeTables {}
}
