import { sql } from 'kysely'
import { can } from '@trainyard/contract/words/machine.ts'
import { notifyWorkers } from '../../../db/listen.ts'
import type { Tx } from '../../../db/schema.ts'
import type { Actor } from '../../../core/actor.ts'
import { conflict } from '../../../core/errors.ts'
import type { Jobs } from '../../../jobs/jobs.ts'
import type { Seal } from '../../../secrets/seal.ts'
import { holdOrganisation } from '../../people/organisation/scope.ts'
import { ensureLearners } from '../../people/user/invite.ts'
import { makePassword } from './credentials.ts'
import { named, type Place } from './named.ts'
import { forgetTickets } from './tickets.ts'
import { MACHINE_DUE } from './wake.ts'

export interface HandOverParts {
  readonly seal: Seal
  readonly jobs: Jobs
}

export interface HandedOver {
  readonly from: string
  readonly to: string
  readonly message: string
}

/**
 * Hands a machine to another learner, who gets an account where they have none. From the commit on the former one sees
 * nothing of it. Inside, the account gets a new password; where it runs it is restarted after that, for whoever is
 * signed in there is not put out by a new password. See docs/decisions/114-hand-over.md.
 * @throws Problem conflict where it is theirs already, or they belong to another organisation
 */
export async function handOver(
  tx: Tx,
  actor: Actor,
  asked: Place & { readonly email: string },
  { seal, jobs }: HandOverParts,
): Promise<HandedOver> {
  const { email } = asked
  const [machine] = await named(tx, actor, [asked], can.handOver)
  const { row } = machine!
  const { id, name, email: from, organisation_id, first_seen_at, desired, last_error } = row
  const { password_due, handed_over_at } = row
  // Failing, it may be handed on all the same; while a password is on its way, two who ask at once do not undo each other.
  const isOnItsWay = password_due && handed_over_at !== null && desired === 'running' && last_error === null
  if (from === email) throw conflict(`${name} is ${email}’s already.`)
  if (first_seen_at === null) throw conflict(`${name} is still being created.`)
  if (isOnItsWay) throw conflict(`${name} is still being handed to ${from}.`)
  await holdOrganisation(tx, organisation_id, 'use')
  await ensureLearners(tx, jobs, organisation_id, [email])
  await sql`
    update machine set email = ${email}, handed_over_at = portal_now(), admin_password = ${seal.seal(makePassword(), id)},
      password_number = password_number + 1, password_due = true,
      restart_asked_at = case when desired = 'running' then portal_now() end,
      last_error = null, refused = false, attempts = 0, generation = generation + 1, reconcile_at = portal_now()
    where id = ${id}`.execute(tx)
  await forgetTickets(tx, [id])
  await notifyWorkers(tx, MACHINE_DUE)
  const then =
    desired === 'running'
      ? 'It gets a new password and is restarted.'
      : 'It gets a new password when it is started the next time.'
  return { from, to: email, message: `${name} is ${email}’s now. ${then}` }
}
