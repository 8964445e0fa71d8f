import { sql } from 'kysely'
import { can } from '@trainyard/contract/words/machine.ts'
import type { Tx } from '../../../db/schema.ts'
import type { Actor } from '../../../core/actor.ts'
import { conflict } from '../../../core/errors.ts'
import type { JobQueue } from '../../../jobs/jobs.ts'
import { setDesiredState } from '../../../reconcile/desired-state.ts'
import type { Seal } from '../../../secrets/seal.ts'
import { lockOrganisation } from '../../people/organisation/scope.ts'
import { ensureLearners } from '../../people/user/invite.ts'
import { makePassword } from './credentials.ts'
import { lockMachinesByName, type MachineRef } from './lock-by-name.ts'
import { revokeUnusedTickets } from './revoke-tickets.ts'

export interface HandOverParts {
  readonly seal: Seal
  readonly jobs: JobQueue
}

export interface HandedOver {
  readonly from: string
  readonly to: string
  readonly message: string
}

/** See docs/decisions/114-machine-hand-over.md. @throws Problem conflict */
export async function handOver(
  tx: Tx,
  actor: Actor,
  request: MachineRef & { readonly email: string },
  { seal, jobs }: HandOverParts,
): Promise<HandedOver> {
  const { email } = request
  const [machine] = await lockMachinesByName(tx, actor, [request], can.handOver)
  const { row } = machine!
  const { id, name, email: from, organisation_id, first_seen_at, desired, last_error } = row
  const { password_due, handed_over_at } = row
  // A second hand-over is refused while a password is pending, so that two requests do not undo each other.
  const isOnItsWay = password_due && handed_over_at !== null && desired === 'running' && last_error === null
  if (from === email) throw conflict(`${name} already belongs to ${email}.`)
  if (first_seen_at === null) throw conflict(`${name} is still being created.`)
  if (isOnItsWay) throw conflict(`${name} is still being handed over to ${from}.`)
  await lockOrganisation(tx, organisation_id, 'use')
  await ensureLearners(tx, jobs, organisation_id, [email])
  await setDesiredState(tx, 'machine', {
    rows: [id],
    set: sql`email = ${email}, withheld_at = null, handed_over_at = portal_now(), admin_password = ${seal.seal(makePassword(), id)},
      password_number = password_number + 1, password_due = true,
      restart_asked_at = case when desired = 'running' then portal_now() end`,
  })
  await revokeUnusedTickets(tx, [id])
  const then =
    desired === 'running'
      ? 'It is being restarted with a new password.'
      : 'It will get a new password at the next start.'
  return { from, to: email, message: `${name} now belongs to ${email}. ${then}` }
}
