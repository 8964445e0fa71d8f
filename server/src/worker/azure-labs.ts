import { type SandboxStepParts, sandboxes, takeSandboxStep } from '../domain/sandbox/azure/sandbox-step.ts'
import { azureUsers, takeUserStep, type UserStepParts } from '../domain/sandbox/azure/user-step.ts'
import {
  AZURE_USER_DUE,
  endSandboxesWhoseTimeIsUp,
  endAzureUsersWhoseTimeIsUp,
  SANDBOX_DUE,
} from '../domain/sandbox/azure/wake.ts'
import type { Identity } from '../providers/identity.ts'
import type { SandboxGroups } from '../providers/sandbox-groups.ts'
import { type LeasedLoopOptions, type Running, startLeasedLoop } from './leased-loop.ts'

/** Where Azure's lab users and their sandboxes are. */
export interface AzureLabs {
  readonly identity: Identity
  readonly groups: SandboxGroups
}

/** Makes Entra and Azure agree with the rows of lab users and sandboxes, and ends those whose time is up. */
export function startAzureLabs(options: UserStepParts & SandboxStepParts & LeasedLoopOptions): Running {
  const { db } = options
  const users = startLeasedLoop(
    {
      channel: AZURE_USER_DUE,
      rows: azureUsers,
      step: (user, signal) => takeUserStep(options, user, signal),
      tick: () => endAzureUsersWhoseTimeIsUp(db),
    },
    options,
  )
  const groups = startLeasedLoop(
    {
      channel: SANDBOX_DUE,
      rows: sandboxes,
      step: (sandbox, signal) => takeSandboxStep(options, sandbox, signal),
      tick: () => endSandboxesWhoseTimeIsUp(db),
    },
    options,
  )
  return {
    async stop() {
      await Promise.all([users.stop(), groups.stop()])
    },
  }
}
