import { createHash } from 'node:crypto'
import { NO_MAILBOX } from '@trainyard/contract/words/email.ts'
import type { OrganisationId } from '@trainyard/contract/words/ids.ts'
import type { Tx } from '../../../db/schema.ts'
import { updateMachineOwner, updateMemberEmail } from './queries.ts'
import { machinesChanged } from '../../../core/machine-changes.ts'
import { emit } from '../../../core/events.ts'
import { published } from './notices.ts'

/**
 * Returns the address of a user without an e-mail address. The same identity gives the same address,
 * in any process.
 * @param identity the source of the identity and the person's ID there, for example issuer and subject
 */
export function addressWithoutMailbox(...identity: readonly string[]): string {
  // The identity is encoded as JSON, so that parts with separators cannot be confused.
  return `${createHash('sha256').update(JSON.stringify(identity)).digest('hex').slice(0, 32)}@${NO_MAILBOX}`
}

export const hasMailbox = (email: string): boolean => !email.endsWith(`@${NO_MAILBOX}`)

/**
 * Moves the machines of a user whose address changes, and the user's rows in rosters, so that the machines are withheld
 * when the person leaves. The passwords do not change, because the machines belong to the same person.
 */
export async function moveMachines(tx: Tx, organisation: OrganisationId, from: string, to: string): Promise<void> {
  const { rows } = await updateMachineOwner(tx, to, organisation, from)
  await machinesChanged(
    tx,
    rows.map(({ id }) => id),
  )
  await emit(
    tx,
    published,
    rows.map(({ id, name, training }) => ({
      organisation,
      type: 'machine.assigned' as const,
      resource: `machine:${id}`,
      training,
      data: { machine: { id, name }, learner: to, formerLearner: from },
    })),
  )
  await updateMemberEmail(tx, to, organisation, from)
}
