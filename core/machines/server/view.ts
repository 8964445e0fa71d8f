import type { Machine, Progress } from '../contract/machine.ts'
import { machineRef } from '../contract/machine-ref.ts'
import { statusOf } from '../contract/machine-words.ts'
import type { MachineRow } from '../tables.gen.ts'
import { type Seal, UnreadableSecret } from '@trainyard/platform/server/run/secrets/seal.ts'
import { minutesOfSeconds } from '@trainyard/usage/server/used.ts'
import { unreadablePassword } from './credentials.ts'

export const SHOWN = [
  'id',
  'name',
  'email',
  'place_group',
  'os',
  'admin_username',
  'admin_password',
  'guacamole',
  'allotted_minutes',
  'desired',
  'observed',
  'first_seen_at',
  'public_ip',
  'address_kind',
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

export type MeteredMachine = Pick<MachineRow, (typeof SHOWN)[number]> & {
  readonly seconds: number
  /** System that the image names. */
  readonly system?: string | null
  readonly learnerName?: string | null
  readonly readyAt?: Date | null
  readonly earlyStart?: boolean
  readonly progress?: Progress | null
  readonly spendingCapReason?: string | null
}

/** Returns the machine for the screen, without the password of a terminated machine. */
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
  // True until a new password is set. Until then the password of the image or of the former learner is valid, so the
  // address is hidden.
  const isWithheld = machine.password_due || machine.reset_asked_at !== null
  const password = isWithheld ? null : machine.admin_password
  const shown = password === null || seal === null ? null : shownPassword(seal, password, machine.id)
  return {
    _id: machine.id,
    ...machineRef(machine.name, machine.place_group),
    os: machine.system ?? machine.os,
    osType: machine.os,
    adminUsername: machine.admin_username,
    adminPass: shown?.password ?? null,
    publicIp: isWithheld ? null : machine.public_ip,
    addressKind: machine.address_kind,
    isAlive: machine.terminated_at === null,
    isRunning: machine.observed === 'running' && machine.desired !== 'gone' && !isWithheld,
    guacamole: machine.guacamole,
    quota: { consumed: minutesOfSeconds(machine.seconds), total: machine.allotted_minutes },
    email: machine.email,
    learnerName: machine.learnerName ?? null,
    status,
    statusReason: reason ?? shown?.unreadable ?? null,
    readyAt: status === 'Planned' ? (machine.readyAt?.toISOString() ?? null) : null,
    earlyStart: machine.earlyStart ?? true,
    capturing: machine.capturing,
    refused: machine.refused,
    spendingCapReason: machine.spendingCapReason ?? null,
    progress: machine.progress ?? null,
  }
}

interface ShownPassword {
  readonly password: string | null
  /** Reason why the password cannot be shown, or null if it can be shown. */
  readonly unreadable: string | null
}

/**
 * Decrypts a password to show it. If a password cannot be decrypted, only its machine shows the reason, and the list
 * does not fail.
 */
function shownPassword(seal: Pick<Seal, 'open'>, password: Buffer, machine: string): ShownPassword {
  try {
    return { password: seal.open(password, machine), unreadable: null }
  } catch (error) {
    if (!(error instanceof UnreadableSecret)) throw error
    return { password: null, unreadable: unreadablePassword(error) }
  }
}
