import { type ClaimedGroup, type HoldParts, securityGroups, takeGroupStep } from '../domain/port/hold.ts'
import { SECURITY_GROUP_DUE } from '../domain/machine/security-groups.ts'
import { type LeasedLoopOptions, type Running, startLeasedLoop } from './leased-loop.ts'

/** Groups at work at once: the provider works on one rule of each at a time, so each takes long. */
const CONCURRENCY = 8

/** Makes the security groups' rules agree with the trainings' ports; each group has one writer at a time. */
export function startPortKeeper(options: HoldParts & LeasedLoopOptions): Running {
  return startLeasedLoop<ClaimedGroup>(
    {
      channel: SECURITY_GROUP_DUE,
      rows: securityGroups,
      step: (group, signal) => takeGroupStep(options, group, signal),
    },
    { ...options, concurrency: CONCURRENCY },
  )
}
