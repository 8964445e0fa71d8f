import { iso } from '@trainyard/platform/emulator/clock/clock.ts'
import type { AzureCloud } from '../cloud.ts'
import type { LongOperation } from './long-operations.ts'
import { param, type Answer, type Call, type Operation } from './operation.ts'
import { isSigned, resultAddress, statusAddress } from './poll-addresses.ts'
import { LAB_SERVICES, labPoll } from './lab-polls.ts'
import { Refusal } from './refusal.ts'
import { retryAfter, retryAfterPoll } from './retry-after.ts'

export function pollHeaders(cloud: AzureCloud, call: Call, operation: LongOperation): Record<string, string> {
  return { ...pollAddresses(call, operation), ...retryAfterHeader(cloud, retryAfter(operation.name)) }
}

/** Returns the same headers for a PUT, which links only to the status because its result is the resource itself. */
export function statusHeaders(cloud: AzureCloud, call: Call, operation: LongOperation): Record<string, string> {
  const { location: _, ...headers } = pollHeaders(cloud, call, operation)
  return headers
}

function pollAddresses(call: Call, operation: LongOperation): Record<string, string> {
  const location = resultAddress(operation, call.version)
  if (operation.namespace === 'Microsoft.Resources') return { location }
  return { 'azure-asyncoperation': statusAddress(operation, call.version), location }
}

/** The pause is scaled by the latency factor, so that faster operations are polled more often. */
function retryAfterHeader(cloud: AzureCloud, seconds: number | undefined): Record<string, string> {
  return seconds === undefined ? {} : { 'retry-after': String(Math.ceil(seconds * cloud.operations.latency)) }
}

/** Rejects an altered address. Accepts any api-version. */
export function pollOperations(cloud: AzureCloud): Operation[] {
  const find = (call: Call): LongOperation => {
    const operation = cloud.operations.find(param(call, 'id'))
    if (operation !== undefined && (isSigned(operation, call.query) || isUnsignedLabPoll(operation, call)))
      return operation
    throw new Refusal(404, 'NotFound', `The entity was not found: operation ${param(call, 'id')}.`)
  }

  const currentRetryAfter = (call: Call, operation: LongOperation): Record<string, string> => {
    if (operation.status !== 'InProgress') return {}
    if (operation.namespace === 'Microsoft.Resources') return retryAfterHeader(cloud, retryAfter(operation.name))
    const secondsLeft = operation.endsAt === null ? 35 : (operation.endsAt - call.now) / 1000
    const seconds = retryAfterPoll(operation.name, secondsLeft)
    return seconds === undefined ? {} : { 'retry-after': String(seconds) }
  }

  const status = (call: Call): Answer => {
    const operation = find(call)
    return { status: 200, headers: currentRetryAfter(call, operation), body: statusOf(operation) }
  }

  const result = (call: Call): Answer => {
    const operation = find(call)
    if (operation.namespace === LAB_SERVICES) return labPoll(call, operation, pollAddresses(call, operation))
    const isGroupOperation = operation.namespace === 'Microsoft.Resources'
    if (operation.status === 'InProgress') {
      return { status: 202, headers: { ...pollAddresses(call, operation), ...currentRetryAfter(call, operation) } }
    }
    if (operation.failure !== null && isGroupOperation) return { status: 409, body: failureOfGroup(operation) }
    if (operation.failure !== null) throw new Refusal(409, operation.failure.code, operation.failure.message)
    if (isGroupOperation || operation.namespace === 'Microsoft.Compute') return { status: 200 }
    return { status: 204, headers: pollAddresses(call, operation) }
  }

  const statusOrResult = (call: Call): Answer => (call.query.monitor === 'true' ? result(call) : status(call))

  const inLocation = '/subscriptions/:subscription/providers/:namespace/locations/:location'
  const poll = { method: 'GET', versions: [] } as const
  return [
    { ...poll, name: 'Operation_Status', path: `${inLocation}/operations/:id`, handle: statusOrResult },
    { ...poll, name: 'Operation_DiskStatus', path: `${inLocation}/DiskOperations/:id`, handle: statusOrResult },
    { ...poll, name: 'Operation_GalleryStatus', path: `${inLocation}/capsOperations/:id`, handle: statusOrResult },
    { ...poll, name: 'Operation_Result', path: `${inLocation}/operationResults/:id`, handle: result },
    {
      ...poll,
      name: 'Operation_GroupResult',
      path: '/subscriptions/:subscription/operationresults/:id',
      handle: result,
    },
  ]
}

/** Lab Services returns an address without a signature too. */
const isUnsignedLabPoll = ({ namespace }: LongOperation, { query }: Call): boolean =>
  namespace === LAB_SERVICES && query.t === undefined && query.monitor === undefined

/** The network provider shows only the status. The compute provider adds start, end and name. */
function statusOf({ id, namespace, status, startedAt, endedAt, failure }: LongOperation): unknown {
  const failed = status === 'InProgress' || failure === null ? null : { code: failure.code, message: failure.message }
  if (namespace === 'Microsoft.Network') {
    return { status, ...(failed === null ? {} : { error: { ...failed, details: [] } }) }
  }
  return {
    startTime: iso(startedAt),
    ...(endedAt === null ? {} : { endTime: iso(endedAt) }),
    status,
    ...(failed === null ? {} : { error: failed }),
    name: id,
  }
}

/** Azure capitalises these field names only in failed deletions of a group. */
function failureOfGroup({ target, failure }: LongOperation): unknown {
  const { code, message } = failure ?? { code: '', message: '' }
  return {
    Error: {
      Code: code,
      Target: null,
      Message: message,
      Details: [{ Code: null, Target: target, Message: JSON.stringify({ error: { code, message } }), Details: null }],
    },
  }
}
