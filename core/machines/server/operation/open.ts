import type { MachineId } from '@trainyard/platform/contract/words/ids.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import { closeOutdatedOperations, insertNeededOperations } from './queries.ts'

/** Opens the operations of new machines. */
export async function openOperations(tx: Tx, machines: readonly MachineId[]): Promise<void> {
  await insertNeededOperations(tx, machines)
}

/**
 * Opens the operations that lead to changed desired states, unless they are in progress already, and closes the former
 * ones. Call it after the change.
 */
export async function replaceOperations(
  tx: Tx,
  changed: readonly { readonly id: MachineId; /** Before the change. */ readonly last_error: string | null }[],
): Promise<void> {
  const ids = changed.map(({ id }) => id)
  await closeOutdatedOperations(
    tx,
    ids,
    changed.map(({ last_error }) => last_error),
  )
  await insertNeededOperations(tx, ids)
}
