import type { OperationKind, UsualDuration } from '../../contract/operation.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { selectUsualDuration } from './queries.ts'

export interface Measured {
  readonly kind: OperationKind
  readonly vm_size: string
  readonly location: string
}

export async function usualDuration(
  db: Db,
  { kind, vm_size, location }: Measured,
  until?: 'ended_at' | 'ready_at',
): Promise<UsualDuration | null> {
  const { rows } = await selectUsualDuration(db, kind, vm_size, location, until)
  return rows[0] ?? null
}
