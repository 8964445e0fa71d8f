import { type Claimed, machineQueue } from '../domain/machine/claim.ts'
import { stopUsedUp } from '../domain/machine/quota.ts'
import { type StepParts, takeStep } from '../domain/machine/step.ts'
import { MACHINE_DUE } from '../domain/machine/wake.ts'
import { type LeasedLoopOptions, type Running, startLeasedLoop } from './leased-loop.ts'

export type { Running } from './leased-loop.ts'

export type ReconcilerOptions = StepParts & LeasedLoopOptions

/** Makes the cloud agree with the rows: claims machines that are due and takes a step with each. */
export function startReconciler(options: ReconcilerOptions): Running {
  const { db } = options
  return startLeasedLoop<Claimed>(
    {
      channel: MACHINE_DUE,
      rows: machineQueue,
      step: (machine, signal) => takeStep(options, machine, signal),
      tick: () => db.transaction().execute(stopUsedUp),
    },
    options,
  )
}
