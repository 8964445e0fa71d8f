import pLimit from 'p-limit'
import type { MachineId } from '@trainyard/platform/contract/words/ids.ts'
import type { OperatingSystem } from '@trainyard/platform/contract/words/limits.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import { REMOTE_PROTOCOLS, type AccessProbe } from '../ssh/probe.ts'
import { selectMachinesToCheck, closeAnswered, closeUnansweredOperations, ANSWER_MINUTES } from './queries.ts'
import { machinesChanged } from '@trainyard/trainings/server/machine-changes.ts'

const AT_ONCE = 64

/**
 * Checks whether machines accept SSH or RDP connections. Connects only to the provider's address and the system's own
 * port.
 */
export async function checkMachinesAnswer(db: Db, accessProbe: AccessProbe, signal: AbortSignal): Promise<void> {
  await closeUnanswered(db)
  const { rows } = await selectMachinesToCheck(db)
  await pLimit(AT_ONCE).map(rows, async ({ id, os, ...at }) => {
    if (!(await accessProbe.responds(at, os, signal))) return
    await close(db, (tx) => closeAnswered(tx, id))
  })
}

/**
 * Ends unanswered checks. Rows that another transaction has locked are skipped until the next run, which prevents a
 * deadlock.
 */
async function closeUnanswered(db: Db): Promise<void> {
  const reasonFor = (os: OperatingSystem) => {
    const { protocol, port } = REMOTE_PROTOCOLS[os]
    return `The machine runs but did not answer on port ${port} (${protocol}) within ${ANSWER_MINUTES} minutes: check the subnet's route table and firewall.`
  }
  await close(db, (tx) => closeUnansweredOperations(tx, reasonFor('Windows'), reasonFor('Linux')))
}

async function close(db: Db, run: (tx: Tx) => Promise<{ readonly rows: { readonly id: MachineId }[] }>): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { rows } = await run(tx)
    await machinesChanged(
      tx,
      rows.map(({ id }) => id),
    )
  })
}
