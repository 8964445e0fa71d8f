import type { InstanceViewStatus } from '@azure/arm-compute'
import type { CloudMachineState } from '@trainyard/templates/server/cloud.ts'
import { oneLine } from '@trainyard/platform/server/providers/errors.ts'

export interface AzureMachineStatus {
  readonly provisioningState?: string
  readonly instanceView?: { readonly statuses?: readonly InstanceViewStatus[] }
}

/**
 * Returns the state of a machine. A list entry without a power state has no state: that machine must be read
 * individually.
 */
export function machineState(machine: AzureMachineStatus): CloudMachineState {
  const statuses = machine.instanceView?.statuses ?? []
  const provisioning = statuses.find(({ code }) => code?.startsWith('ProvisioningState/'))
  const power = after(statuses.find(({ code }) => code?.startsWith('PowerState/'))?.code)
  const operation = after(provisioning?.code) ?? machine.provisioningState?.toLowerCase()

  if (operation === 'deleting') return { state: 'changing', toward: 'absent' }
  if (operation === 'creating') return { state: 'changing', toward: 'running' }
  // Time of the end of the last operation (azure-service-operator's and cloud-custodian's recordings). The power state
  // itself has no time.
  const since = provisioning?.time ?? null
  const isAtRest = power === 'running' || power === 'stopped' || power === 'deallocated'
  if (operation === 'failed' || operation === 'canceled') {
    const failure = failureOf(provisioning, operation)
    // A running machine is billed, whatever the result of its last operation, so the power state takes precedence.
    return isAtRest ? { ...atRest(power), since, failure } : { state: 'failed', reason: failure, since }
  }
  if (operation === 'succeeded' && isAtRest) {
    // A shutdown from inside is no operation of Azure, so the time of the last operation is not the time of the
    // shutdown.
    return { ...atRest(power), since: power === 'stopped' ? null : since }
  }
  return { state: 'changing', toward: toward(power) }
}

/** Returns true if the machine has no billed compute, even during an operation on it. */
export const isDeallocated = ({ instanceView }: AzureMachineStatus): boolean =>
  instanceView?.statuses?.some(({ code }) => code?.toLowerCase() === 'powerstate/deallocated') ?? false

/** Returns true if the entry determines the state. Lists occasionally omit the power state. */
export function hasPowerState({ instanceView }: AzureMachineStatus): boolean {
  const codes = instanceView?.statuses?.map(({ code }) => code?.toLowerCase() ?? '') ?? []
  return codes.some((code) => code.startsWith('powerstate/') || /^provisioningstate\/(?!succeeded|updating)/.test(code))
}

function atRest(power: 'running' | 'stopped' | 'deallocated') {
  return { state: ({ running: 'running', stopped: 'halted', deallocated: 'stopped' } as const)[power] }
}

function toward(power: string | undefined): 'running' | 'stopped' | 'unknown' {
  if (power === 'starting') return 'running'
  return power === 'stopping' || power === 'deallocating' ? 'stopped' : 'unknown'
}

function failureOf(provisioning: InstanceViewStatus | undefined, operation: 'failed' | 'canceled'): string {
  const code = provisioning?.code?.split('/')[2]
  const message = oneLine(provisioning?.message ?? provisioning?.displayStatus ?? 'Azure gave no reason.')
  if (operation === 'canceled') {
    const named = code === undefined ? '' : ` (${code})`
    return `Azure canceled the last operation on the machine${named}: ${message} The portal retries automatically.`
  }
  return code === undefined ? message : `${code}: ${message}`
}

function after(code: string | undefined): string | undefined {
  return code?.split('/')[1]?.toLowerCase()
}
