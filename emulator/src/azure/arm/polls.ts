import { iso } from '#src/clock/clock.ts'
import type { AzureCloud } from '#src/azure/cloud.ts'
import type { LongOperation } from '#src/azure/arm/long-operations.ts'
import { param, type Answer, type Call, type Operation } from '#src/azure/arm/operation.ts'
import { Refusal } from '#src/azure/arm/refusal.ts'

/** Clients keep Azure's own host in their addresses, whatever carries them here. */
export const host = 'https://management.azure.com'

/** The headers that tell a client where to look whether the operation has ended. */
export function whereToLook(call: Call, operation: LongOperation): Record<string, string> {
  const place = `${host}/subscriptions/${operation.subscription}`
  const version = `api-version=${call.version}`
  const retryAfter = String(secondsToWait(operation, call.now))
  if (operation.namespace === 'Microsoft.Resources') {
    return { location: `${place}/operationresults/${operation.id}?${version}`, 'retry-after': retryAfter }
  }
  const base = `${place}/providers/${operation.namespace}/locations/${operation.location}`
  const status = `${base}/operations/${operation.id}?${version}`
  return {
    'azure-asyncoperation': status,
    location: isCompute(operation) ? `${status}&monitor=true` : `${base}/operationResults/${operation.id}?${version}`,
    'retry-after': retryAfter,
  }
}

/** The same for a PUT: it points at the status only, since the result is the resource itself. */
export function whereItsStatusIs(call: Call, operation: LongOperation): Record<string, string> {
  const { location: _, ...headers } = whereToLook(call, operation)
  return headers
}

function isCompute({ namespace }: LongOperation): boolean {
  return namespace === 'Microsoft.Compute'
}

function secondsToWait(operation: LongOperation, now: number): number {
  if (operation.status !== 'InProgress') return 0
  if (operation.endsAt === null) return 10
  return Math.min(10, Math.max(1, Math.ceil((operation.endsAt - now) / 1000)))
}

/**
 * The addresses that `whereToLook` gives. They are no part of the published interface, and take any api-version. As
 * recorded, compute tells the end of an operation at the same address by `monitor=true` and with 200, the network by
 * 204; only compute tells when an operation began and ended.
 */
export function pollOperations(cloud: AzureCloud): Operation[] {
  const find = (call: Call): LongOperation => {
    const operation = cloud.operations.find(param(call, 'id'))
    if (operation !== undefined) return operation
    throw new Refusal(404, 'NotFound', `The entity was not found: operation ${param(call, 'id')}.`)
  }

  const status = (call: Call): Answer => {
    const operation = find(call)
    if (call.query.monitor === 'true') return result(call)
    const times = {
      startTime: iso(operation.startedAt),
      ...(operation.endedAt === null ? {} : { endTime: iso(operation.endedAt) }),
    }
    return {
      status: 200,
      headers: operation.status === 'InProgress' ? { 'retry-after': String(secondsToWait(operation, call.now)) } : {},
      body: {
        ...(isCompute(operation) ? times : {}),
        status: operation.status,
        ...(operation.status === 'InProgress' || operation.failure === null ? {} : { error: operation.failure }),
        ...(isCompute(operation) ? { name: operation.id } : {}),
      },
    }
  }

  const result = (call: Call): Answer => {
    const operation = find(call)
    if (operation.status === 'InProgress') return { status: 202, headers: whereToLook(call, operation) }
    if (operation.failure !== null) throw new Refusal(409, operation.failure.code, operation.failure.message)
    return { status: operation.namespace === 'Microsoft.Network' ? 204 : 200 }
  }

  const inLocation = '/subscriptions/:subscription/providers/:namespace/locations/:location'
  const poll = { method: 'GET', versions: [] } as const
  return [
    { ...poll, name: 'Operation_Status', path: `${inLocation}/operations/:id`, handle: status },
    { ...poll, name: 'Operation_Result', path: `${inLocation}/operationResults/:id`, handle: result },
    {
      ...poll,
      name: 'Operation_GroupResult',
      path: '/subscriptions/:subscription/operationresults/:id',
      handle: result,
    },
  ]
}
