import { z } from 'zod'
import type { AzureCloud } from '#src/azure/cloud.ts'
import { envelopeOf } from '#src/azure/arm/envelope.ts'
import { keyOf } from '#src/azure/arm/ids.ts'
import { placeNamed } from '#src/azure/arm/locations.ts'
import type { Effect, Failure } from '#src/azure/arm/long-operations.ts'
import { at, param, versions, type Answer, type Call, type Operation } from '#src/azure/arm/operation.ts'
import { whereItsStatusIs } from '#src/azure/arm/polls.ts'
import { envelope, readBody } from '#src/azure/arm/read-body.ts'
import { concurrentRequest, invalidParameter, Refusal } from '#src/azure/arm/refusal.ts'
import type { Resource } from '#src/azure/arm/resources.ts'
import { type SealedAccount, sealedAccount } from '#src/azure/compute/accounts.ts'
import { machineType } from '#src/azure/compute/machine-view.ts'
import type { Machine } from '#src/azure/compute/machines.ts'
import { openGroup } from '#src/azure/groups/existing-group.ts'
import { durationOf } from '#src/azure/durations.ts'
import { existingResource } from '#src/azure/groups/existing-resource.ts'

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
  /** The account that VMAccess will set. */
  readonly account: SealedAccount | null
  readonly failure: Failure | null
}

/** Programs that Azure's agent runs inside a machine. The one with an effect here is VMAccess, which sets a password. */
export function extensionOperations(cloud: AzureCloud): Operation[] {
  const common = { path: at.child(machineType, 'extensions'), versions: versions.compute }
  return [
    { ...common, name: 'VirtualMachineExtensions_CreateOrUpdate', method: 'PUT', handle: (call) => put(cloud, call) },
    {
      ...common,
      name: 'VirtualMachineExtensions_Get',
      method: 'GET',
      handle: (call) => {
        const machine = existingResource(cloud, call, machineType)
        const id = `${machine.id}/extensions/${param(call, 'child')}`
        const found = cloud.resources.find(keyOf(id))
        if (found === undefined) {
          const said = 'The entity was not found in this Azure location.'
          throw new Refusal(404, 'NotFound', said, { target: 'extensionName' })
        }
        return { status: 200, body: view(found, call.query.$expand?.toLowerCase() === 'instanceview') }
      },
    },
  ]
}

function put(cloud: AzureCloud, call: Call): Answer {
  const body = readBody(call, extensionShape)
  const group = openGroup(cloud, call)
  const machine = existingResource(cloud, call, machineType)
  const life = cloud.machines.get(machine.uid)
  const location = placeNamed(body.location, extensionType)
  if (location !== machine.location) throw invalidParameter('location', 'An extension stands where its machine does.')
  if (cloud.operations.atWorkOn(machine.key) !== undefined) throw concurrentRequest()
  if (life.power !== 'running') {
    throw new Refusal(409, 'OperationNotAllowed', 'Cannot modify extensions in the VM when the VM is not running.')
  }
  const name = param(call, 'child')
  const id = `${machine.id}/extensions/${name}`
  refuseSecondOfKind(cloud, machine, id, body)
  const { protectedSettings: _, ...asked } = body.properties
  const properties = { autoUpgradeMinorVersion: false, ...asked }
  const inside: Inside = { account: accountIn(body, life), failure: null }
  const before = cloud.resources.find(keyOf(id))
  const tags = body.tags
  const made =
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
  cloud.machines.changed(machine.uid, call.now, null)
  const seconds = durationOf(inside.account === null ? 'extension' : 'accountReset', machine.name)
  const operation = cloud.operations.begin(call, machine, { effect: 'machine.extended', seconds })
  return {
    status: before === undefined ? 201 : 200,
    headers: whereItsStatusIs(cloud, call, operation),
    body: view(cloud.resources.get(made.key), false),
  }
}

/** VMAccess comes in two kinds, and each calls the account by names of its own. */
function accountIn({ properties }: ExtensionBody, machine: Machine): SealedAccount | null {
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
  return sealedAccount(username, password)
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

/** Returns the extension as shown: protected settings are never shown again. */
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
          state: failure === null ? 'Succeeded' : 'Failed',
          doc: { properties, inside: { account: null, failure } },
        })
      }
      cloud.resources.setState(target, failure === null ? 'Succeeded' : 'Failed')
      cloud.machines.changed(uid, instant, failure)
    },
  }
}
