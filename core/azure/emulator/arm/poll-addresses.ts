import { createHash } from 'node:crypto'
import type { LongOperation } from './long-operations.ts'

/** Host in all returned addresses. Clients keep Azure's own host even if their requests are routed to the emulator. */
export const host = 'https://management.azure.com'

/** Query parameters with which Azure signs a poll address, in addition to `t`, the instant in ticks of 100 ns. */
const signatureParts = ['c', 's', 'h'] as const

export function statusAddress(operation: LongOperation, version: string): string {
  return `${host}${locationPath(operation)}/${statusSegment(operation)}/${operation.id}?${query(operation, version, false)}`
}

/**
 * Returns the address of the result. The network provider has a separate one; the compute provider adds `monitor` to
 * the status address.
 */
export function resultAddress(operation: LongOperation, version: string): string {
  if (operation.namespace === 'Microsoft.Resources') {
    const path = `/subscriptions/${operation.subscription}/operationresults`
    return `${host}${path}/${operation.id}?${query(operation, version, false)}`
  }
  const isMonitored = operation.namespace === 'Microsoft.Compute' || operation.namespace === 'Microsoft.LabServices'
  const segment = isMonitored ? statusSegment(operation) : 'operationResults'
  return `${host}${locationPath(operation)}/${segment}/${operation.id}?${query(operation, version, isMonitored)}`
}

export function isSigned(operation: LongOperation, requested: Readonly<Record<string, string>>): boolean {
  const t = ticksOf(operation)
  return requested.t === t && signatureParts.every((part) => requested[part] === signature(operation, t, part))
}

function locationPath({ subscription, namespace, location }: LongOperation): string {
  return `/subscriptions/${subscription}/providers/${namespace}/locations/${location}`
}

function statusSegment({ name, namespace }: LongOperation): string {
  if (namespace === 'Microsoft.LabServices') return 'operationResults'
  if (name.startsWith('Disks_')) return 'DiskOperations'
  return name.startsWith('Galler') ? 'capsOperations' : 'operations'
}

function query(operation: LongOperation, version: string, monitored: boolean): string {
  const t = ticksOf(operation)
  const isMachineOperation = operation.namespace === 'Microsoft.Compute' && !operation.name.startsWith('Galler')
  return new URLSearchParams({
    ...(isMachineOperation ? { p: partitionOf(operation) } : {}),
    ...(monitored ? { monitor: 'true' } : {}),
    'api-version': version,
    t,
    ...Object.fromEntries(signatureParts.map((part) => [part, signature(operation, t, part)])),
  }).toString()
}

function ticksOf({ startedAt }: LongOperation): string {
  const fromYearOne = 62_135_596_800_000n
  return String((BigInt(Math.floor(startedAt)) + fromYearOne) * 10_000n)
}

function partitionOf({ subscription, location }: LongOperation): string {
  const hex = createHash('sha256').update(`${subscription}/${location}`).digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-')
}

const signature = ({ id }: LongOperation, t: string, part: string): string =>
  createHash('sha256').update(`${part}:${id}:${t}`).digest('base64url')
