import { notify } from '../../db/notify.ts'
import type { Tx } from '../../db/schema.ts'
import type { ClaimableTable } from './claim.ts'

export const dueChannel = (table: ClaimableTable): string => `${table}_due`

export const notifyWorkers = (tx: Tx, table: ClaimableTable): Promise<void> => notify(tx, dueChannel(table))
