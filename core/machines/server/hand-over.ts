import type { MachineRef } from '../contract/machine-ref.ts'
import { sql } from 'kysely'
import { can } from '../contract/machine-words.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import type { Actor } from '@trainyard/platform/server/core/actor.ts'
import { conflict, Problem } from '@trainyard/platform/server/core/errors.ts'
import type { JobQueue } from '@trainyard/platform/server/run/jobs/job.ts'
import type { Seal } from '@trainyard/platform/server/run/secrets/seal.ts'
import { lockOrganisation } from '@trainyard/organisations/server/scope.ts'
import { ensureLearners } from '@trainyard/users/server/invite-users.ts'
import { makePassword } from './credentials.ts'
import { setDesiredMachines } from './desired-state.ts'
import { lockMachinesByName } from './lock-by-name.ts'
import type { LockedMachine } from './queries.ts'
import { accessEnded } from './events.ts'
import { emit } from '@trainyard/platform/server/core/events.ts'
import { publishAssigned } from './publish.ts'

export interface HandOverDependencies {
  readonly seal: Seal
  readonly jobs: JobQueue
}

export interface HandedOver {
  readonly name: string
  readonly from: string
  readonly to: string
  readonly message: string
}

export type HandOverRequest = MachineRef & { readonly email: string }

/**
 * Hands over all given machines, or none of them.
 * @throws Problem conflict; invalid if a machine is named twice
 */
export async function handOverMachines(
  tx: Tx,
  actor: Actor,
  requests: readonly HandOverRequest[],
  { seal, jobs }: HandOverDependencies,
): Promise<HandedOver[]> {
  const emails = new Map(requests.map(({ name, email }) => [name, email]))
  if (emails.size !== requests.length) throw new Problem('invalid', 'machines must name each machine once.')
  const rows = (await lockMachinesByName(tx, actor, requests, can.handOver)).map(({ row }) => row)
  for (const row of rows) requireHandOver(row, emails.get(row.name)!)
  for (const organisation of [...new Set(rows.map((row) => row.organisation_id))].sort()) {
    await lockOrganisation(tx, organisation, 'use')
    const machines = rows.filter((row) => row.organisation_id === organisation)
    await ensureLearners(tx, jobs, organisation, [...new Set(machines.map(({ name }) => emails.get(name)!))])
  }
  const ids = rows.map(({ id }) => id)
  await setDesiredMachines(tx, {
    rows: sql`
      select id, last_error, handed.email, handed.password from machine
      join unnest(${ids}::uuid[], ${rows.map(({ name }) => emails.get(name)!)}::text[],
        ${ids.map((id) => seal.seal(makePassword(), id))}::bytea[]) as handed (id, email, password) using (id)
      order by id for update of machine`,
    set: sql`email = changed.email, withheld_at = null, handed_over_at = portal_now(), admin_password = changed.password,
      password_number = password_number + 1, password_due = true,
      -- The stop can no longer be undone, because the machine would keep running without the restart.
      not_before = case when desired = 'running' then not_before end,
      restart_asked_at = case when desired = 'running' then portal_now() end`,
  })
  await publishAssigned(tx, new Map(rows.map(({ id, email }) => [id, email])))
  await emit(tx, accessEnded, ids)
  return rows.map(({ name, email: from, desired }) => {
    const to = emails.get(name)!
    const consequence =
      desired === 'running'
        ? 'It is being restarted with a new password.'
        : 'It will get a new password at the next start.'
    return { name, from, to, message: `${name} now belongs to ${to}. ${consequence}` }
  })
}

function requireHandOver(row: LockedMachine, email: string): void {
  const { name, email: from, first_seen_at, desired, last_error, password_due, handed_over_at } = row
  // A second hand-over is refused while a password change is pending, so that two requests do not undo each other.
  const isOnItsWay = password_due && handed_over_at !== null && desired === 'running' && last_error === null
  if (from === email) throw conflict(`${name} already belongs to ${email}.`)
  if (first_seen_at === null) throw conflict(`${name} is still being created.`)
  if (isOnItsWay) throw conflict(`${name} is still being handed over to ${from}.`)
}

export function handOverMessage(handedOver: readonly HandedOver[], reset: boolean): string {
  const [only, second] = handedOver
  if (second === undefined)
    return reset
      ? `${only!.name} now belongs to ${only!.to}. It is being reset and will have a new password.`
      : only!.message
  return reset
    ? `${handedOver.length} machines have new learners. They are being reset and will have new passwords.`
    : `${handedOver.length} machines have new learners and get new passwords. Those that run are being restarted.`
}
