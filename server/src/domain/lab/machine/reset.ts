import { sql } from 'kysely'
import { can } from '@trainyard/contract/words/machine.ts'
import { notifyWorkers } from '../../../db/listen.ts'
import type { Tx } from '../../../db/schema.ts'
import type { Actor } from '../../../core/actor.ts'
import type { Seal } from '../../../secrets/seal.ts'
import { bringsItsPassword, makePassword } from './credentials.ts'
import { refuseLeashed } from '../../money/budget/leash.ts'
import { idsOf, named, type Place, trainingsOf } from './named.ts'
import { forgetTickets } from './tickets.ts'
import { MACHINE_DUE } from './wake.ts'

/**
 * Has all the machines named deleted with their disks and made anew as they were ordered, or none; answers the sentence
 * to show. Row, learner and runs stay, so the hours go on; the password is a new one. One that is wanted stopped is
 * stopped again once it is made. See docs/decisions/113-reset.md.
 */
export async function resetMachines(tx: Tx, actor: Actor, places: readonly Place[], seal: Seal): Promise<string> {
  const machines = await named(tx, actor, places, can.reset)
  await refuseLeashed(tx, trainingsOf(machines))
  const passwords = machines.map(({ row }) => seal.seal(makePassword(), row.id))
  await sql`
    update machine m set reset_asked_at = portal_now(), restart_asked_at = null, last_error = null, refused = false,
      attempts = 0, admin_password = reset.password, password_number = password_number + 1,
      password_due = reset.due, handed_over_at = null, reset_count = reset_count + 1,
      generation = generation + 1, reconcile_at = portal_now()
    from unnest(${idsOf(machines)}::uuid[], ${passwords}::bytea[],
      ${machines.map(({ row }) => bringsItsPassword(row))}::boolean[]) as reset (id, password, due)
    where m.id = reset.id`.execute(tx)
  await forgetTickets(tx, idsOf(machines))
  await notifyWorkers(tx, MACHINE_DUE)
  const [only, ...more] = machines
  return more.length === 0
    ? `${only!.row.name} is being reset: it is made anew, with a new password.`
    : `${machines.length} machines are being reset: they are made anew, with new passwords.`
}
