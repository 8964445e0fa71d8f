import type { OperationKind, UsualDuration } from '../../contract/operation.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { selectUsualDuration } from './queries.ts'

export interface Measured {
  readonly kind: OperationKind
  readonly size_name: string
  readonly location: string
}

export async function usualDuration(
  db: Db,
  { kind, size_name, location }: Measured,
  until?: 'ended_at' | 'ready_at',
): Promise<UsualDuration | null> {
  const { rows } = await selectUsualDuration(db, kind, size_name, location, until)
  return rows[0] ?? null
}
