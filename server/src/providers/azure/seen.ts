import type { InstanceViewStatus } from '@azure/arm-compute'
import type { Seen } from '../cloud.ts'
import { oneLine } from '../errors.ts'

/** The part of a machine's description that says how it stands. */
export interface MachineStatus {
  readonly provisioningState?: string
  readonly instanceView?: { readonly statuses?: readonly InstanceViewStatus[] }
}

/**
 * Returns the joint meaning of Azure's two states. Provisioning says whether an operation is at work or how the last
 * one ended, power says what the machine does. Power may be missing now and then: that is 'look closer', not a state.
 */
export function seenOf(machine: MachineStatus): Seen {
  const statuses = machine.instanceView?.statuses ?? []
  const provisioning = statuses.find(({ code }) => code?.startsWith('ProvisioningState/'))
  const power = after(statuses.find(({ code }) => code?.startsWith('PowerState/'))?.code)
  const doing = after(provisioning?.code) ?? machine.provisioningState?.toLowerCase()

  if (doing === 'deleting') return { state: 'changing', toward: 'absent' }
  if (doing === 'creating') return { state: 'changing', toward: 'running' }
  // When the last operation ended (azure-service-operator's and cloud-custodian's recordings). Power bears no time.
  const since = provisioning?.time ?? null
  const resting = power === 'running' || power === 'stopped' || power === 'deallocated'
  if (doing === 'failed' || doing === 'canceled') {
    const failure = failureOf(provisioning)
    // A machine that runs is billed, however its last operation ended: what it does counts, and then how it got there.
    return resting ? { ...atRest(power), since, failure } : { state: 'failed', reason: failure, since }
  }
  if (doing === 'succeeded' && resting) {
    // A shutdown from inside is no operation of Azure's, so the time there is not the shutdown's.
    return { ...atRest(power), since: power === 'stopped' ? null : since }
  }
  return { state: 'changing', toward: toward(power) }
}

/** Returns true when it has no compute that is billed, whatever else is being done to it. */
export const isDeallocated = ({ instanceView }: MachineStatus): boolean =>
  instanceView?.statuses?.some(({ code }) => code?.toLowerCase() === 'powerstate/deallocated') ?? false

/**
 * Returns true when the answer is enough: a machine whose last operation ended well has a power state, which lists
 * leave out at times.
 */
export function tellsPower({ instanceView }: MachineStatus): boolean {
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

function failureOf(provisioning: InstanceViewStatus | undefined): string {
  const code = provisioning?.code?.split('/')[2]
  const said = oneLine(provisioning?.message ?? provisioning?.displayStatus ?? 'Azure gave no reason.')
  return code === undefined ? said : `${code}: ${said}`
}

/** `PowerState/running` -> running; `ProvisioningState/failed/AllocationFailed` -> failed. */
function after(code: string | undefined): string | undefined {
  return code?.split('/')[1]?.toLowerCase()
}
