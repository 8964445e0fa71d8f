import { callOf } from '#test/recorded-call.ts'
import type { Recording } from '#test/recordings.ts'
import { setPeople } from '#test/azure-recorded/people.ts'
import { aboveOf, groupOf, nameOf, type Stage } from '#test/azure-recorded/stage.ts'
import type { Body, Request } from '#test/azure-recorded/translate.ts'

const readerRole = 'acdd72a7-3385-48ef-bd42-f606fba81ae7'
const allowedSizes = '/providers/Microsoft.Authorization/policyDefinitions/cccc23c7-8427-4f53-ad12-b6a63eb452b3'

/** Makes the state in which Azure gave the recorded answer, and returns the request that meets it. */
export async function setScene(stage: Stage, recording: Recording, request: Request): Promise<Request> {
  if (request.path.startsWith('/v1.0/')) return setPeople(stage, recording, request)
  const id = request.path.split('?')[0] ?? ''
  const { kind, operation } = callOf(request.method, request.path)
  if (recording.status >= 400) {
    await setRefusal(stage, recording, request, id, kind)
    return request
  }
  const shown = (typeof recording.body === 'object' && recording.body !== null ? recording.body : {}) as Body
  if (operation.endsWith(' list')) {
    if (groupOf(id) !== '') await stage.stand(partHolding(id))
    for (const item of (shown.value ?? []) as Body[]) if (typeof item.id === 'string') await stage.stand(item.id, item)
    return request
  }
  if (request.method === 'PUT' && recording.status !== 200) {
    const above = aboveOf(id)
    if (above !== null) await stage.stand(above)
    const body = await filledIn(stage, kind, id, request.body ?? {})
    await stage.standFor(body.properties)
    return { ...request, body }
  }
  if (request.method === 'DELETE' && recording.status === 204) await stage.stand(groupOf(id))
  else if (request.method === 'POST') await setPower(stage, id)
  else if (request.method === 'GET' && stateOf(shown) === 'Deleting') return goesAway(stage, id, request)
  else if (request.method === 'GET' && stateOf(shown) === 'Creating') return comes(stage, id, shown, request)
  // A PUT that changes something finds it in another state before.
  else await stage.stand(id, isChange(request, shown) ? {} : shown)
  const body = request.body === undefined ? undefined : await filledIn(stage, kind, id, request.body)
  if (request.method === 'PUT') await stage.standFor(body?.properties)
  await stage.settle()
  return { ...request, body }
}

/** The answer of a PUT that goes on shows what will be, not what was. */
const isChange = ({ method, path }: Request, shown: Body): boolean =>
  method === 'PUT' && path.includes('/Microsoft.Network/') && stateOf(shown) === 'Updating'

const stateOf = ({ properties }: Body): unknown => (properties as Body | undefined)?.provisioningState

async function goesAway(stage: Stage, id: string, request: Request): Promise<Request> {
  await stage.beginDeletion(id)
  return request
}

async function comes(stage: Stage, id: string, shown: Body, request: Request): Promise<Request> {
  await stage.begin(id, shown)
  return request
}

/** The group of a list of kinds, the whole of a list of parts. */
function partHolding(list: string): string {
  const group = groupOf(list)
  const parts = list.slice(group.length).split('/').slice(3)
  return parts.length > 1 ? list.slice(0, list.lastIndexOf('/')) : group
}

/** A machine that runs, or one to be started. */
async function setPower(stage: Stage, id: string): Promise<void> {
  const machine = id.slice(0, id.lastIndexOf('/'))
  await stage.stand(machine)
  if (id.endsWith('/start')) await stage.deallocate(machine)
}

/** Returns the body with names of the recording's own directory replaced by names that exist here. */
async function filledIn(stage: Stage, kind: string, id: string, body: Body): Promise<Body> {
  const properties = (body.properties ?? {}) as Body
  if (kind === 'roleAssignments') {
    const role = String(properties.roleDefinitionId).replace(/[^/]+$/, readerRole)
    return { ...body, properties: { ...properties, roleDefinitionId: role, principalId: await stage.user() } }
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

async function setRefusal(
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
      await stage.stand(id)
      return stage.usedBy(id, kind, `${group}/providers/Microsoft.Network/networkInterfaces/user/ipConfigurations/one`)
    case 'InUseSubnetCannotBeDeleted': {
      const subnet = `${id}/subnets/one`
      await stage.stand(subnet)
      return stage.usedBy(
        subnet,
        'virtualNetworks/subnets',
        `${group}/providers/Microsoft.Network/networkInterfaces/user/ipConfigurations/one`,
      )
    }
    case 'NicInUse':
      return stage.stand(`${group}/providers/Microsoft.Compute/virtualMachines/user`, {
        properties: { networkProfile: { networkInterfaces: [{ id }] } },
      })
    case 'ReferencedResourceNotProvisioned': {
      await stage.standFor(request.body?.properties)
      const subnet = /[^"]+\/subnets\/[^"]+/.exec(JSON.stringify(request.body))?.[0] ?? ''
      return stage.beginChange(subnet)
    }
    case 'RetryableErrorDueToAnotherOperation':
    case 'AnotherOperationInProgress': {
      const whole = aboveOf(id) ?? id
      await stage.stand(whole)
      return stage.beginChange(whole)
    }
    case 'OperationNotAllowed':
      if (kind !== 'disks') break
      return stage.stand(`${group}/providers/Microsoft.Compute/virtualMachines/user`, {
        properties: { storageProfile: { osDisk: { name: nameOf(id) } } },
      })
    case 'NotFound':
      return stage.stand(kind.includes('/') ? (aboveOf(id) ?? group) : group)
  }
  await stage.stand(group)
}

interface Said {
  readonly code?: string
  readonly details?: readonly { readonly code?: string }[]
}

function errorIn(body: unknown): Said {
  const { error } = (typeof body === 'object' && body !== null ? body : {}) as { error?: Said }
  return error ?? {}
}
