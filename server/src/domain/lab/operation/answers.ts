import pLimit from 'p-limit'
import type { OperatingSystem } from '@trainyard/contract/words/limits.ts'
import type { Db } from '../../../db/schema.ts'
import { REMOTE_PROTOCOLS, type AccessProbe } from '../../../providers/access-probe.ts'
import { selectMachinesToCheck, closeAnswered, closeUnansweredOperations, ANSWER_MINUTES } from './queries.ts'

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
    await closeAnswered(db, id)
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
  await closeUnansweredOperations(db, reasonFor('Windows'), reasonFor('Linux'))
}
