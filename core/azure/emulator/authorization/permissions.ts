import { z } from 'zod'
import type { AzureCloud } from '../cloud.ts'
import { groupId, keyOf, nameIn, parseResourceId, subscriptionId } from '../arm/ids.ts'
import { paths, param, versions, type Call, type Operation } from '../arm/operation.ts'
import { Refusal, resourceNotFound } from '../arm/refusal.ts'
import { requireGroup } from '../groups/existing-group.ts'

export const permissionShape = z.strictObject({
  actions: z.array(z.string()),
  notActions: z.array(z.string()).default([]),
})
type Permission = z.infer<typeof permissionShape>

const ownerPermissions: readonly Permission[] = [{ actions: ['*'], notActions: [] }]

/** Returns the same key for every subscription: the app registration has the same rights in each. */
const settingKey = (group: string | null): string => `permissions ${keyOf(group ?? '')}`

export function setPermissions(
  cloud: AzureCloud,
  group: string | null,
  permissions: readonly Permission[] | null,
): void {
  cloud.settings.write(settingKey(group), permissions === null ? '' : JSON.stringify(permissions))
}

function storedPermissions(cloud: AzureCloud, group: string | null): readonly Permission[] {
  const stored = cloud.settings.read(settingKey(group)) ?? ''
  if (stored === '') return group === null ? ownerPermissions : []
  return JSON.parse(stored) as Permission[]
}

const permissionsAt = (cloud: AzureCloud, group: string | undefined): readonly Permission[] => [
  ...storedPermissions(cloud, null),
  ...(group === undefined ? [] : storedPermissions(cloud, group)),
]

const type = 'Microsoft.Authorization/permissions'
const NETWORK = 'Microsoft.Network/virtualNetworks'

/** Azure's OpenAPI files lack `Permissions_ListForSubscription`, but Azure serves it (azure-rest-api-specs#19473). */
export function permissionOperations(cloud: AzureCloud): Operation[] {
  const view = (group: string | undefined) => ({
    status: 200,
    body: {
      value: permissionsAt(cloud, group).map((permission) => ({ ...permission, dataActions: [], notDataActions: [] })),
    },
  })
  return [
    {
      name: 'Permissions_ListForSubscription',
      method: 'GET',
      path: paths.all(type),
      versions: versions.authorization,
      handle: () => view(undefined),
    },
    {
      name: 'Permissions_ListForResourceGroup',
      method: 'GET',
      path: paths.list(type),
      versions: versions.authorization,
      handle(call: Call) {
        requireGroup(cloud, call)
        return view(param(call, 'group'))
      },
    },
    // Azure serves this operation for every resource.
    ...[
      [paths.item(NETWORK), NETWORK],
      [paths.child(NETWORK, 'subnets'), `${NETWORK}/subnets`],
    ].map(([path, resourceType]): Operation => ({
      name: 'Permissions_ListForResource',
      method: 'GET',
      path: `${path}/providers/${type}`,
      versions: versions.authorization,
      action: `${type}/read`,
      handle(call: Call) {
        requireGroup(cloud, call)
        const resource = call.path.slice(0, call.path.lastIndexOf('/providers/'))
        const group = param(call, 'group')
        if (cloud.resources.find(keyOf(resource)) === undefined)
          throw resourceNotFound(resourceType!, nameIn(resource), group)
        return view(group)
      },
    })),
  ]
}

/** @throws Refusal if no role of the app registration grants the operation */
export function refuseWithoutPermission(
  cloud: AzureCloud,
  operation: Operation,
  params: Readonly<Record<string, string>>,
): void {
  const action = actionOf(operation)
  if (permissionsAt(cloud, params.group).some((permission) => allows(permission, action))) return
  const { subscription = '', group } = params
  const scope = group === undefined ? subscriptionId(subscription) : groupId(subscription, group)
  throw new Refusal(
    403,
    'AuthorizationFailed',
    `${CLIENT} does not have authorization to perform action '${action}' over scope '${scope}' or the scope is invalid. If access was recently granted, please refresh your credentials.`,
  )
}

const CLIENT = "The client '00000000-0000-4000-8000-000000000003' with object id '00000000-0000-4000-8000-000000000004'"
const JOIN = `${NETWORK}/subnets/join/action`

const networkInterfaceBody = z.looseObject({
  properties: z.looseObject({
    ipConfigurations: z.array(
      z.looseObject({ properties: z.looseObject({ subnet: z.looseObject({ id: z.string() }) }) }),
    ),
  }),
})

/**
 * Checks the permission on the subnets to which a network interface will be connected, in whichever resource group.
 * @throws Refusal if no role of the app registration grants it
 */
export function refuseForeignSubnet(cloud: AzureCloud, operation: Operation, path: string, body: unknown): void {
  if (operation.name !== 'NetworkInterfaces_CreateOrUpdate') return
  const { data } = networkInterfaceBody.safeParse(body)
  const subnets = (data?.properties.ipConfigurations ?? []).map(({ properties }) => properties.subnet.id)
  const forbidden = subnets.filter(
    (id) => !permissionsAt(cloud, parseResourceId(id)?.group).some((permission) => allows(permission, JOIN)),
  )
  if (forbidden.length === 0) return
  throw new Refusal(
    403,
    'LinkedAuthorizationFailed',
    `${CLIENT} has permission to perform action '${actionOf(operation)}' on scope '${path}'; however, it does not have permission to perform action(s) '${JOIN}' on the linked scope(s) '${forbidden.join(',')}' (respectively) or the linked scope(s) are invalid.`,
  )
}

const allows = ({ actions, notActions }: Permission, action: string): boolean =>
  actions.some((pattern) => actionMatches(pattern, action)) &&
  !notActions.some((pattern) => actionMatches(pattern, action))

/** Compares case-insensitively; `*` matches any text. */
export const actionMatches = (pattern: string, action: string): boolean =>
  new RegExp(`^${pattern.split('*').map(escapeRegExp).join('.*')}$`, 'i').test(action)

const escapeRegExp = (text: string): string => text.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`)

const verbs = { GET: 'read', HEAD: 'read', PUT: 'write', PATCH: 'write', DELETE: 'delete', POST: 'action' } as const

/** Returns the permission that the operation requires, for example `Microsoft.Compute/virtualMachines/start/action`. */
export function actionOf({ method, path, action }: Operation): string {
  if (action !== undefined) return action
  const typePath = path.split('/providers/').at(1)
  const fullType = typePath === undefined || typePath.startsWith(':') ? `Microsoft.Resources${path}` : typePath
  const names = fullType.split('/').filter((part) => !part.startsWith(':'))
  return [...names, verbs[method]].join('/')
}
