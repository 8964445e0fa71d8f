import { iso } from '@trainyard/platform/emulator/clock/clock.ts'
import type { LongOperation } from './long-operations.ts'
import type { Answer, Call } from './operation.ts'
import { host, statusAddress } from './poll-addresses.ts'

export const LAB_SERVICES = 'Microsoft.LabServices'

/** Operation-Location has no signature, unlike Azure-AsyncOperation (recorded in July 2025). */
export const unsignedStatusAddress = (operation: LongOperation, version: string): string =>
  `${host}${new URL(statusAddress(operation, version)).pathname}?api-version=${version}`

/** Returns the status in Lab Services' format, the only one with the operation's own ID. */
export function labStatusOf(operation: LongOperation): unknown {
  const { id, subscription, location, status, startedAt, endedAt, failure } = operation
  return {
    id: `/subscriptions/${subscription}/providers/${LAB_SERVICES}/locations/${location}/operationResults/${id}`,
    name: id,
    status,
    startTime: iso(startedAt),
    ...(endedAt === null ? {} : { endTime: iso(endedAt) }),
    ...(failure === null || status === 'InProgress' ? {} : { error: failure }),
  }
}

/** Answers a poll: 200 with the status, or for `monitor=true` 202 until the operation has ended. */
export function labPoll(call: Call, operation: LongOperation, headers: Readonly<Record<string, string>>): Answer {
  const body = labStatusOf(operation)
  if (call.query['monitor'] !== 'true') return { status: 200, body }
  return operation.status === 'InProgress' ? { status: 202, headers, body } : { status: 200, body }
}
