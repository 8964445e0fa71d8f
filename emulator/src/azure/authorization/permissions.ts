import { z } from 'zod'
import type { AzureCloud } from '#src/azure/cloud.ts'
import { groupId, keyOf, subscriptionId } from '#src/azure/arm/ids.ts'
import { paths, param, versions, type Call, type Operation } from '#src/azure/arm/operation.ts'
import { Refusal } from '#src/azure/arm/refusal.ts'
import { requireGroup } from '#src/azure/groups/existing-group.ts'

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
    `The client '00000000-0000-4000-8000-000000000003' with object id '00000000-0000-4000-8000-000000000004' does not have authorization to perform action '${action}' over scope '${scope}' or the scope is invalid. If access was recently granted, please refresh your credentials.`,
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
