import { z } from 'zod'
import type { AzureCloud } from '../cloud.ts'
import { groupId, keyOf, nameIn, subscriptionId } from '../arm/ids.ts'
import type { Call, Operation } from '../arm/operation.ts'
import { Refusal } from '../arm/refusal.ts'
import { actionMatches, actionOf } from '../authorization/permissions.ts'
import { type Governance, governanceIn } from './governance.ts'
import { type EvaluatedResource, refuseDisallowed } from './policies.ts'

/** Operations that change nothing, although their method is POST. */
const reading = /^(PolicyRestrictions_|Operations_)/

/**
 * Applies what the resource manager checks before the service sees a request: deny assignments, a disabled
 * subscription, locks, closed locations and policies.
 * @throws Refusal
 */
export function refuseGoverned(cloud: AzureCloud, operation: Operation, call: Call): void {
  const { method } = operation
  const { subscription, group } = call.params
  if (subscription === undefined || method === 'GET' || method === 'HEAD' || reading.test(operation.name)) return
  const governance = governanceIn(cloud.settings)
  refuseDenied(governance, operation, call, subscription)
  refuseDisabled(cloud, method, subscription)
  if (group !== undefined) refuseLocked(governance, operation, call, subscription, group)
  if (method === 'PUT') {
    const resource = resourceIn(operation, call)
    if (resource === null) return
    refuseClosedLocation(governance, resource)
    refuseDisallowed(governance, subscription, resource)
  }
}

const bodyShape = z.looseObject({
  location: z.string().optional().catch(undefined),
  tags: z.record(z.string(), z.string()).default({}).catch({}),
  properties: z.record(z.string(), z.unknown()).default({}).catch({}),
})

/** Null for assignments of roles and policies, which no policy here evaluates. */
function resourceIn({ path }: Operation, { body, path: address }: Call): EvaluatedResource | null {
  const [, provider] = path.split('/providers/')
  if (provider?.startsWith('Microsoft.Authorization') === true) return null
  const type =
    provider === undefined
      ? 'Microsoft.Resources/subscriptions/resourceGroups'
      : provider
          .split('/')
          .filter((part) => !part.startsWith(':'))
          .join('/')
  const { location, tags, properties } = bodyShape.catch({ tags: {}, properties: {} }).parse(body)
  return { type, name: nameIn(address), location, tags, properties }
}

function refuseDenied({ denials }: Governance, operation: Operation, call: Call, subscription: string): void {
  const action = actionOf(operation)
  const denial = denials.find(({ actions }) => actions.some((each) => actionMatches(each, action)))
  if (denial === undefined) return
  const scope = subscriptionId(subscription)
  throw new Refusal(
    403,
    'DenyAssignmentAuthorizationFailed',
    `The client '00000000-0000-4000-8000-000000000003' with object id '00000000-0000-4000-8000-000000000004' has permission to perform action '${action}' on scope '${call.path}'; however, the access is denied because of the deny assignment with name '${denial.name}' and Id '11111f740ce95642acaf15775e7f2b80' at scope '${scope}'.`,
  )
}

/** A disabled subscription is read-only; its resources can still be deleted. */
function refuseDisabled({ settings }: AzureCloud, method: string, subscription: string): void {
  const state = settings.read('subscription.state') ?? 'Enabled'
  if (method === 'DELETE' || (state !== 'Disabled' && state !== 'Deleted')) return
  throw new Refusal(
    409,
    'ReadOnlyDisabledSubscription',
    `The subscription '${subscription}' is disabled and therefore marked as read only. You cannot perform any write actions on this subscription until it is re-enabled.`,
  )
}

function refuseLocked(
  { locks }: Governance,
  operation: Operation,
  call: Call,
  subscription: string,
  group: string,
): void {
  const deletes = operation.method === 'DELETE'
  const lock = locks.find(
    (each) => (each.group === null || keyOf(each.group) === keyOf(group)) && (deletes || each.level === 'ReadOnly'),
  )
  if (lock === undefined) return
  const scope = lock.group === null ? subscriptionId(subscription) : groupId(subscription, lock.group)
  const kind = deletes ? 'delete' : 'write'
  throw new Refusal(
    409,
    'ScopeLocked',
    `The scope '${call.path}' cannot perform ${kind} operation because following scope(s) are locked: '${scope}'. Please remove the lock and try again.`,
  )
}

/** A group can be created in a closed location, the resources in it cannot (azure-cli#32913). */
function refuseClosedLocation({ closedLocations }: Governance, { type, name, location }: EvaluatedResource): void {
  if (type.endsWith('/resourceGroups')) return
  if (location === undefined || !closedLocations.includes(location.toLowerCase().replaceAll(' ', ''))) return
  throw new Refusal(
    403,
    'RequestDisallowedByAzure',
    `Resource '${name}' was disallowed by Azure: This policy maintains a set of best available regions where your subscription can deploy resources. The objective of this policy is to ensure that your subscription has full access to Azure services with optimal performance. Should you need additional or different regions, contact support..`,
    { target: name },
  )
}
