import { callOf } from '../recorded-call.ts'
import type { Recording } from '../recordings.ts'
import { parentOf, groupOf, nameOf, type Stage } from './stage.ts'
import type { Body, Request } from './adapt.ts'

const readerRole = 'acdd72a7-3385-48ef-bd42-f606fba81ae7'
const allowedSizes = '/providers/Microsoft.Authorization/policyDefinitions/cccc23c7-8427-4f53-ad12-b6a63eb452b3'

/** Creates the state in which Azure sent the recorded reply, and returns the adapted request. */
export async function prepareState(stage: Stage, recording: Recording, request: Request): Promise<Request> {
  if (request.path.startsWith('/v1.0/')) return prepareUsers(stage, recording, request)
  const id = request.path.split('?')[0] ?? ''
  const { kind, operation } = callOf(request.method, request.path)
  if (recording.status >= 400) {
    await prepareRefusal(stage, recording, request, id, kind)
    return request
  }
  const responseBody = (typeof recording.body === 'object' && recording.body !== null ? recording.body : {}) as Body
  if (operation.endsWith(' list')) {
    if (groupOf(id) !== '') await stage.create(partHolding(id))
    for (const item of (responseBody.value ?? []) as Body[])
      if (typeof item.id === 'string') await stage.create(item.id, item)
    return request
  }
  if (request.method === 'PUT' && recording.status !== 200) {
    const above = parentOf(id)
    if (above !== null) await stage.create(above)
    const body = await withExistingIds(stage, kind, id, request.body ?? {})
    await stage.createReferences(body.properties)
    return { ...request, body }
  }
  if (request.method === 'DELETE' && recording.status === 204) await stage.create(groupOf(id))
  else if (request.method === 'POST') await preparePower(stage, id)
  else if (request.method === 'GET' && stateOf(responseBody) === 'Deleting') return prepareDeletion(stage, id, request)
  else if (request.method === 'GET' && stateOf(responseBody) === 'Creating')
    return prepareCreation(stage, id, responseBody, request)
  // Before a PUT that changes a resource, the resource is in a different state.
  else await stage.create(id, isChange(request, responseBody) ? {} : responseBody)
  const body = request.body === undefined ? undefined : await withExistingIds(stage, kind, id, request.body)
  if (request.method === 'PUT') await stage.createReferences(body?.properties)
  await stage.settle()
  return { ...request, body }
}

/** The reply to a PUT in progress shows the new state, not the previous one. */
const isChange = ({ method, path }: Request, responseBody: Body): boolean =>
  method === 'PUT' && path.includes('/Microsoft.Network/') && stateOf(responseBody) === 'Updating'

const stateOf = ({ properties }: Body): unknown => (properties as Body | undefined)?.provisioningState

async function prepareDeletion(stage: Stage, id: string, request: Request): Promise<Request> {
  await stage.startDeletion(id)
  return request
}

async function prepareCreation(stage: Stage, id: string, responseBody: Body, request: Request): Promise<Request> {
  await stage.startCreation(id, responseBody)
  return request
}

/** Returns the resource that contains the listed parts, or the group for other lists. */
function partHolding(list: string): string {
  const group = groupOf(list)
  const parts = list.slice(group.length).split('/').slice(3)
  return parts.length > 1 ? list.slice(0, list.lastIndexOf('/')) : group
}

/** Creates a running machine, or a deallocated one for a start. */
async function preparePower(stage: Stage, id: string): Promise<void> {
  const machine = id.slice(0, id.lastIndexOf('/'))
  await stage.create(machine)
  if (id.endsWith('/start')) await stage.deallocate(machine)
}

/** Replaces IDs of the recorded directory in the body by existing IDs. */
async function withExistingIds(stage: Stage, kind: string, id: string, body: Body): Promise<Body> {
  const properties = (body.properties ?? {}) as Body
  if (kind === 'roleAssignments') {
    const role = String(properties.roleDefinitionId).replace(/[^/]+$/, readerRole)
    return { ...body, properties: { ...properties, roleDefinitionId: role, principalId: await stage.createUser() } }
  }
  if (kind === 'virtualMachines' && JSON.stringify(properties.networkProfile) === '{}') {
    const networkInterface = `${groupOf(id)}/providers/Microsoft.Network/networkInterfaces/left-out`
    return { ...body, properties: { ...properties, networkProfile: { networkInterfaces: [{ id: networkInterface }] } } }
  }
  if (kind === 'policyAssignments') {
    const parameters = { listOfAllowedSKUs: { value: ['Standard_D2s_v3'] } }
    return { ...body, properties: { ...properties, policyDefinitionId: allowedSizes, parameters } }
  }
  return body
}

async function prepareRefusal(
  stage: Stage,
  recording: Recording,
  request: Request,
  id: string,
  kind: string,
): Promise<void> {
  const { code = '', details = [] } = errorIn(recording.body)
  const reason = details.find((detail) => detail.code !== undefined && detail.code !== '')?.code ?? code
  const group = groupOf(id)
  if (/^(ResourceGroupNotFound|LocationNotAvailable)/.test(code) || group === '' || request.method === 'HEAD') return
  switch (reason) {
    case 'PublicIPAddressCannotBeDeleted':
    case 'InUseNetworkSecurityGroupCannotBeDeleted':
      await stage.create(id)
      return stage.createDependent(
        id,
        kind,
        `${group}/providers/Microsoft.Network/networkInterfaces/user/ipConfigurations/one`,
      )
    case 'InUseSubnetCannotBeDeleted': {
      const subnet = `${id}/subnets/one`
      await stage.create(subnet)
      return stage.createDependent(
        subnet,
        'virtualNetworks/subnets',
        `${group}/providers/Microsoft.Network/networkInterfaces/user/ipConfigurations/one`,
      )
    }
    case 'NicInUse':
      return stage.create(`${group}/providers/Microsoft.Compute/virtualMachines/user`, {
        properties: { networkProfile: { networkInterfaces: [{ id }] } },
      })
    case 'ReferencedResourceNotProvisioned': {
      await stage.createReferences(request.body?.properties)
      const subnet = /[^"]+\/subnets\/[^"]+/.exec(JSON.stringify(request.body))?.[0] ?? ''
      return stage.startChange(subnet)
    }
    case 'RetryableErrorDueToAnotherOperation':
    case 'AnotherOperationInProgress': {
      const parentId = parentOf(id) ?? id
      await stage.create(parentId)
      return stage.startChange(parentId)
    }
    case 'OperationNotAllowed':
      if (kind !== 'disks') break
      return stage.create(`${group}/providers/Microsoft.Compute/virtualMachines/user`, {
        properties: { storageProfile: { osDisk: { name: nameOf(id) } } },
      })
    case 'NotFound':
      return stage.create(kind.includes('/') ? (parentOf(id) ?? group) : group)
  }
  await stage.create(group)
}

interface RecordedError {
  readonly code?: string
  readonly details?: readonly { readonly code?: string }[]
}

function errorIn(body: unknown): RecordedError {
  const { error } = (typeof body === 'object' && body !== null ? body : {}) as { error?: RecordedError }
  return error ?? {}
}

/** Prepares the directory for a Graph request: creates the users in its path or in the recorded list. */
async function prepareUsers(stage: Stage, recording: Recording, request: Request): Promise<Request> {
  const { operation } = callOf(request.method, request.path)
  if (recording.status >= 400 || operation === 'POST users') return request
  const { value } = (recording.body ?? {}) as { value?: { userPrincipalName: string }[] }
  if (value !== undefined) {
    for (const { userPrincipalName } of value) await stage.createUser(userPrincipalName)
    return request
  }
  const id = await stage.createUser()
  if (operation === 'DELETE deletedItems') await stage.deleteUser(id)
  return { ...request, path: request.path.replace(/(users|deletedItems)\/[^/?]+/, `$1/${id}`) }
}
