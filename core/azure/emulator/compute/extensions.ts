import { z } from 'zod'
import type { AzureCloud } from '../cloud.ts'
import { envelopeOf } from '../arm/envelope.ts'
import { keyOf } from '../arm/ids.ts'
import { parseLocation } from '../arm/locations.ts'
import { type Effect, endState } from '../arm/long-operations.ts'
import { paths, param, versions, type Answer, type Call, type Operation, type Failure } from '../arm/operation.ts'
import { statusHeaders } from '../arm/polls.ts'
import { envelope, readBody } from '../arm/read-body.ts'
import { concurrentRequest, invalidParameter, Refusal } from '../arm/refusal.ts'
import type { Resource } from '../arm/resources.ts'
import { type HashedAccount, hashAccount } from './accounts.ts'
import { machineType } from './machine-view.ts'
import type { Machine } from './machines.ts'
import { requireGroupNotDeleting } from '../groups/existing-group.ts'
import { durationOf } from '../durations.ts'
import { requireResource } from '../groups/existing-resource.ts'

export const extensionType = 'Microsoft.Compute/virtualMachines/extensions'

const extensionShape = z.looseObject({
  ...envelope,
  properties: z.looseObject({
    publisher: z.string(),
    type: z.string(),
    typeHandlerVersion: z.string(),
    forceUpdateTag: z.string().optional(),
    settings: z.record(z.string(), z.unknown()).optional(),
    protectedSettings: z.record(z.string(), z.unknown()).optional(),
  }),
})

type ExtensionBody = z.infer<typeof extensionShape>

interface Inside {
  readonly account: HashedAccount | null
  readonly failure: Failure | null
}

/** Only VMAccess has an effect in the emulator: it sets a password. */
export function extensionOperations(cloud: AzureCloud): Operation[] {
  const common = { path: paths.child(machineType, 'extensions'), versions: versions.compute }
  return [
    {
      ...common,
      name: 'VirtualMachineExtensions_CreateOrUpdate',
      method: 'PUT',
      handle: (call) => putExtension(cloud, call),
    },
    {
      ...common,
      name: 'VirtualMachineExtensions_Get',
      method: 'GET',
      handle: (call) => {
        const machine = requireResource(cloud, call, machineType)
        const id = `${machine.id}/extensions/${param(call, 'child')}`
        const found = cloud.resources.find(keyOf(id))
        if (found === undefined) {
          const message = 'The entity was not found in this Azure location.'
          throw new Refusal(404, 'NotFound', message, { target: 'extensionName' })
        }
        return { status: 200, body: view(found, call.query.$expand?.toLowerCase() === 'instanceview') }
      },
    },
  ]
}

function putExtension(cloud: AzureCloud, call: Call): Answer {
  const body = readBody(call, extensionShape)
  const group = requireGroupNotDeleting(cloud, call)
  const machine = requireResource(cloud, call, machineType)
  const record = cloud.machines.get(machine.uid)
  const location = parseLocation(body.location, extensionType)
  if (location !== machine.location)
    throw invalidParameter('location', 'An extension must be in the location of its machine.')
  if (cloud.operations.findInProgress(machine.key) !== undefined) throw concurrentRequest()
  if (record.power !== 'running') {
    throw new Refusal(409, 'OperationNotAllowed', 'Cannot modify extensions in the VM when the VM is not running.')
  }
  const name = param(call, 'child')
  const id = `${machine.id}/extensions/${name}`
  refuseSecondOfKind(cloud, machine, id, body)
  const { protectedSettings: _, ...requested } = body.properties
  const properties = { autoUpgradeMinorVersion: false, ...requested }
  const inside: Inside = { account: accountIn(body, record), failure: null }
  const before = cloud.resources.find(keyOf(id))
  const tags = body.tags
  const created =
    before === undefined
      ? cloud.resources.add(
          {
            id,
            type: extensionType,
            subscription: machine.subscription,
            group: group.key,
            parent: machine.key,
            name,
            state: 'Creating',
            location,
            tags,
            doc: { properties, inside },
          },
          call.now,
        )
      : cloud.resources.change(before.key, { state: 'Updating', tags, doc: { properties, inside } })
  cloud.resources.setState(machine.key, 'Updating')
  cloud.machines.recordProvisioning(machine.uid, call.now, null)
  const seconds = durationOf(inside.account === null ? 'extension' : 'accountReset', machine.name)
  const operation = cloud.operations.begin(call, machine, { effect: 'machine.extended', seconds })
  return {
    status: before === undefined ? 201 : 200,
    headers: statusHeaders(cloud, call, operation),
    body: view(cloud.resources.get(created.key), false),
  }
}

/** VMAccess has two variants with different field names for the account. */
function accountIn({ properties }: ExtensionBody, machine: Machine): HashedAccount | null {
  const { publisher, type, settings = {}, protectedSettings = {} } = properties
  const kind = `${publisher}/${type}`.toLowerCase()
  const forLinux = kind === 'microsoft.ostcextensions/vmaccessforlinux'
  const forWindows = kind === 'microsoft.compute/vmaccessagent'
  if (!forLinux && !forWindows) return null
  if (forLinux !== (machine.os === 'Linux')) {
    throw new Refusal(
      400,
      'VMExtensionNotSupported',
      `The extension '${type}' is not supported on a ${machine.os} virtual machine.`,
    )
  }
  const username = forLinux ? protectedSettings.username : settings.UserName
  const password = forLinux ? protectedSettings.password : protectedSettings.Password
  if (typeof username !== 'string' || typeof password !== 'string') return null
  return hashAccount(username, password)
}

function refuseSecondOfKind(cloud: AzureCloud, machine: Resource, id: string, { properties }: ExtensionBody): void {
  const other = cloud.resources
    .parts(machine.key)
    .filter((part) => part.type === extensionType && part.key !== keyOf(id))
    .map((part) => part.doc.properties as ExtensionBody['properties'])
    .find(({ publisher, type }) => publisher === properties.publisher && type === properties.type)
  if (other === undefined) return
  throw new Refusal(
    400,
    'OperationNotAllowed',
    `Multiple VMExtensions per handler not supported for OS type. A VMExtension with handler '${properties.publisher}.${properties.type}' already added or specified in input.`,
  )
}

function view(extension: Resource, withInstance: boolean): unknown {
  const { properties, inside } = extension.doc as { properties: ExtensionBody['properties']; inside: Inside }
  const { failure } = inside
  const status =
    failure === null
      ? { code: `ProvisioningState/${extension.state.toLowerCase()}`, level: 'Info', displayStatus: extension.state }
      : {
          code: `ProvisioningState/failed/${failure.code}`,
          level: 'Error',
          displayStatus: 'Provisioning failed',
          message: failure.message,
        }
  return {
    ...envelopeOf(extension),
    properties: {
      ...properties,
      provisioningState: extension.state,
      ...(withInstance
        ? {
            instanceView: {
              name: extension.name,
              type: `${properties.publisher}.${properties.type}`,
              typeHandlerVersion: properties.typeHandlerVersion,
              statuses: [status],
            },
          }
        : {}),
    },
  }
}

export function extensionEffects(cloud: AzureCloud): Record<string, Effect> {
  return {
    'machine.extended': ({ target, uid }, instant, failure) => {
      for (const part of cloud.resources.parts(target)) {
        if (part.type !== extensionType || (part.state !== 'Creating' && part.state !== 'Updating')) continue
        const { properties, inside } = part.doc as { properties: object; inside: Inside }
        if (failure === null && inside.account !== null) cloud.accounts.set(uid, inside.account)
        cloud.resources.change(part.key, {
          state: endState(failure),
          doc: { properties, inside: { account: null, failure } },
        })
      }
      cloud.resources.setState(target, endState(failure))
      cloud.machines.recordProvisioning(uid, instant, failure)
    },
  }
}
