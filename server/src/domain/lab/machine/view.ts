import type { Machine, Progress } from '@trainyard/contract/calls/machine.ts'
import { statusOf } from '@trainyard/contract/words/machine.ts'
import type { MachineRow } from '../../../db/schema/machine.ts'
import type { Seal } from '../../../secrets/seal.ts'
import { minutesOfSeconds } from '../../money/meter/used.ts'

/** The columns of a row that are shown, or decide what is. */
export const SHOWN = [
  'id',
  'name',
  'email',
  'resource_group',
  'image_id',
  'os',
  'admin_username',
  'admin_password',
  'guacamole',
  'allotted_minutes',
  'desired',
  'observed',
  'first_seen_at',
  'public_ip',
  'restart_asked_at',
  'reset_asked_at',
  'ended',
  'stop_reason',
  'terminated_at',
  'last_error',
  'capturing',
  'password_due',
  'handed_over_at',
  'refused',
  'create_later',
] as const satisfies readonly (keyof MachineRow)[]

/** A machine's row, as far as it is shown, with the seconds its runs used. */
export type MeteredMachine = Pick<MachineRow, (typeof SHOWN)[number]> & {
  readonly seconds: number
  /** Left out where nobody reads it. */
  readonly progress?: Progress | null
  /** The sentence of a budget's leash; left out where the leash itself is asked. */
  readonly leash?: string | null
}

/** A machine as its screens see it; the password only where the viewer may have it, and never once terminated. */
export function viewOf(machine: MeteredMachine, seal: Pick<Seal, 'open'> | null): Machine {
  const { status, reason } = statusOf({
    desired: machine.desired,
    observed: machine.observed,
    everSeen: machine.first_seen_at !== null,
    restarting: machine.restart_asked_at !== null,
    capturing: machine.capturing,
    unready: machine.password_due,
    handedOver: machine.handed_over_at !== null,
    resetting: machine.reset_asked_at !== null,
    lastError: machine.last_error,
    ended: machine.ended,
    stopReason: machine.stop_reason,
    planned: machine.create_later,
  })
  // Until it is set the machine has its image's, or its former learner's: the address leads to a machine that somebody
  // else could enter. One that is reset is not there for anybody.
  const isWithheld = machine.password_due || machine.reset_asked_at !== null
  const password = isWithheld ? null : machine.admin_password
  return {
    _id: machine.id,
    name: machine.name,
    resourceGroup: machine.resource_group,
    os: systemOf(machine),
    osType: machine.os,
    adminUsername: machine.admin_username,
    adminPass: password === null || seal === null ? null : seal.open(password, machine.id),
    publicIp: isWithheld ? null : machine.public_ip,
    isAlive: machine.terminated_at === null,
    isRunning: machine.observed === 'running' && machine.desired !== 'gone' && !isWithheld,
    guacamole: machine.guacamole,
    quota: { consumed: minutesOfSeconds(machine.seconds), total: machine.allotted_minutes },
    email: machine.email,
    status,
    statusReason: reason,
    capturing: machine.capturing,
    refused: machine.refused,
    leash: machine.leash ?? null,
    progress: machine.progress ?? null,
  }
}

/** The system in words, from a platform image's `publisher:offer:sku:version`; an own image says only its kind. */
function systemOf({ image_id, os }: MeteredMachine): string {
  const [, offer, sku] = image_id.split(':')
  return offer === undefined || sku === undefined ? os : `${offer} ${sku}`
}
