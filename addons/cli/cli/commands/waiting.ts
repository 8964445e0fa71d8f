import { setTimeout as delay } from 'node:timers/promises'
import type { Machine } from '../api/client.ts'
import { EXIT, Failure } from '../failure.ts'
import type { CommandContext } from '../command-context.ts'

/** Initial and maximum poll interval, in milliseconds. */
const POLL_MS = [250, 2_000] as const
const MINUTE_MS = 60_000

interface Goal {
  readonly trainingName: string
  readonly organization?: string
  readonly isWaitedFor: (machine: Machine) => boolean
  readonly status: 'Running' | 'Stopped'
  readonly minutes: number
}

/** `Planned` machines are started later by the portal. */
const isAt = ({ status }: Machine, goal: Goal['status']): boolean =>
  status === goal || (goal === 'Running' && status === 'Planned')

const cannotReach = ({ refused, status }: Machine): boolean =>
  refused || status === 'Terminated' || status === 'Deleting'

/**
 * Waits until machines have a status, and shows the progress. @throws Failure if a machine cannot reach the status or
 * the wait times out
 */
export async function waitForMachines(context: CommandContext, goal: Goal): Promise<Machine[]> {
  const { trainingName, organization, isWaitedFor, status, minutes } = goal
  const deadline = performance.now() + minutes * MINUTE_MS
  for (let pause: number = POLL_MS[0]; ; pause = Math.min(pause * 1.5, POLL_MS[1])) {
    const machines = (await context.machines(context.training(trainingName, organization))).filter(isWaitedFor)
    const failed = machines.filter(cannotReach)
    const arrived = machines.filter((machine) => isAt(machine, status))
    context.out.progress(arrived.length, machines.length, status.toLowerCase())
    if (failed.length > 0) {
      const reasons = failed.map((machine) => `${machine.name}: ${machine.statusReason ?? machine.status}`)
      throw new Failure(EXIT.failed, `${failed.length} of ${machines.length} machines failed.\n${reasons.join('\n')}`, {
        hint: `Run trainyard machines list ${quoted(trainingName)} to see all of them.`,
      })
    }
    if (arrived.length === machines.length) return machines
    if (performance.now() > deadline) {
      throw new Failure(
        EXIT.failed,
        `${machines.length - arrived.length} machines are not ${status.toLowerCase()} yet.`,
        {
          hint: `The portal continues. Run trainyard machines list ${quoted(trainingName)}, or wait longer with --timeout.`,
        },
      )
    }
    await delay(pause)
  }
}

export const quoted = (text: string): string => (/^[\w@.-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`)
