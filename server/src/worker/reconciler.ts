import { type Claimed, machineQueue } from '../domain/machine/claim.ts'
import { stopUsedUp } from '../domain/machine/quota.ts'
import { type StepParts, takeStep } from '../domain/machine/step.ts'
import { MACHINE_DUE } from '../domain/machine/wake.ts'
import { type LeasedLoopOptions, type Running, startLeasedLoop } from './leased-loop.ts'

/** Makes the cloud agree with the rows: claims machines that are due and takes a step with each. */
export function startReconciler(options: StepParts & LeasedLoopOptions): Running {
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
