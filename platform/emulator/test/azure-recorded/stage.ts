import { randomUUID } from 'node:crypto'
import type { TestEmulator, Reply } from '../test-emulator.ts'
import { callOf } from '../recorded-call.ts'
import { asRequest, adapted, regionOf, type Body } from './adapt.ts'

/** Seconds, more than any operation takes. */
const LONG = 24 * 3600

/** Creates the resources that a recorded request needs, only through Azure's interface. */
export class Stage {
  readonly #emulator: TestEmulator
  readonly #createdIds = new Set<string>()
  #numbers = 0
  #patient = true
  /** Location of resources that appear in no reply. */
  readonly #region: string

  constructor(emulator: TestEmulator, region: string) {
    this.#emulator = emulator
    this.#region = region
  }

  /** Lets all operations end. */
  async settle(): Promise<void> {
    await this.#emulator.advance(LONG)
  }

  markExisting(id: string): void {
    this.#createdIds.add(id.toLowerCase())
  }

  /** Creates a resource and everything it needs, according to the recorded view of it. */
  async create(id: string, responseBody: Body = {}): Promise<void> {
    if (this.#createdIds.has(id.toLowerCase())) return
    this.#createdIds.add(id.toLowerCase())
    const { kind } = callOf('GET', id)
    const above = parentOf(id)
    if (above !== null) await this.create(above)
    if (kind.includes('/') && (await this.#exists(id))) return
    await this.#createOfKind(id, kind, responseBody)
    await this.#users(id, kind, responseBody)
  }

  async startCreation(id: string, responseBody: Body): Promise<void> {
    const above = parentOf(id)
    if (above !== null) await this.create(above)
    await this.createReferences(asRequest(responseBody).properties)
    this.#patient = false
    await this.create(id, responseBody)
    this.#patient = true
  }

  async startDeletion(id: string): Promise<void> {
    await this.create(id)
    await this.#emulator.arm('DELETE', id)
  }

  async createReferences(body: unknown, location?: string): Promise<void> {
    for (const id of idsIn(body)) await this.create(id, location === undefined ? {} : { location })
  }

  async startChange(id: string): Promise<void> {
    if (callOf('GET', id).kind === 'virtualNetworks') {
      return this.#put(`${id}/subnets/another`, { properties: { addressPrefix: '10.199.0.0/16' } }, false)
    }
    const responseBody = await this.#emulator.arm('GET', id)
    await this.#put(id, asRequest(responseBody.body), false)
  }

  async createUser(signInName = `${randomUUID()}@lab.example`): Promise<string> {
    const reply = await send(this.#emulator, 'POST', '/v1.0/users', {
      accountEnabled: true,
      displayName: 'Recorded',
      mailNickname: 'recorded',
      userPrincipalName: signInName,
      passwordProfile: { password: 'Correct-Horse-7', forceChangePasswordNextSignIn: true },
    })
    // Azure learns of the user some time later.
    await this.settle()
    return (reply.body as { id: string }).id
  }

  async deleteUser(id: string): Promise<void> {
    await send(this.#emulator, 'DELETE', `/v1.0/users/${id}`)
  }

  async deallocate(machine: string): Promise<void> {
    await this.#emulator.arm('POST', `${machine}/deallocate`)
    await this.settle()
  }

  async #exists(id: string): Promise<boolean> {
    return (await this.#emulator.arm('GET', id)).status === 200
  }

  async #createOfKind(id: string, kind: string, responseBody: Body): Promise<void> {
    const location = regionOf(responseBody.location ?? this.#region)
    const properties = asRequest(responseBody.properties ?? {})
    await this.createReferences(kind === 'virtualMachines' ? properties.networkProfile : properties, location)
    const recordedBody =
      responseBody.properties === undefined
        ? null
        : adapted(kind, { ...asRequest(responseBody), ...(responseBody.location === undefined ? {} : { location }) })
    switch (kind) {
      case 'resourceGroups':
        return this.#put(id, { location, ...(responseBody.tags === undefined ? {} : { tags: responseBody.tags }) })
      case 'virtualNetworks':
        return this.#put(id, recordedBody ?? { location, properties: { addressSpace: { addressPrefixes: SPACE } } })
      case 'virtualNetworks/subnets':
        return this.#put(id, recordedBody ?? { properties: { addressPrefix: `10.${200 + this.#next()}.0.0/16` } })
      case 'networkSecurityGroups':
        return this.#put(id, recordedBody ?? { location })
      case 'networkSecurityGroups/securityRules':
        return this.#put(id, recordedBody ?? { properties: { ...RULE, priority: 2000 + this.#next() } })
      case 'publicIPAddresses':
        return this.#put(id, recordedBody ?? adapted(kind, { location }))
      case 'networkInterfaces':
        return this.#put(
          id,
          recordedBody ?? { location, properties: { ipConfigurations: [await this.#configuration(id, location)] } },
        )
      case 'virtualMachines':
        return this.#put(id, await this.#machine(id, location, responseBody))
      case 'virtualMachines/extensions':
        return this.#put(id, recordedBody ?? { location, properties: EXTENSION })
      case 'disks':
        return this.#disk(id, responseBody)
      case 'galleries':
        return this.#put(id, {
          location,
          tags: {},
          ...(recordedBody === null ? {} : { properties: recordedBody.properties }),
        })
      case 'galleries/images':
        return this.#put(id, recordedBody ?? { location, properties: definition(this.#next()) })
      case 'galleries/images/versions':
        return this.#version(id, location, responseBody)
      case 'roleAssignments':
        return this.#put(id, {
          properties: { ...ROLE(id), principalId: await this.createUser(), principalType: 'User' },
        })
      case 'policyAssignments':
        return this.#put(id, { properties: POLICY })
    }
  }

  /** Creates the resources that use this one according to its recorded view. */
  async #users(id: string, kind: string, responseBody: Body): Promise<void> {
    const properties = (responseBody.properties ?? {}) as Body
    const users = [
      properties.ipConfiguration,
      properties.ipConfigurations,
      properties.networkInterfaces,
      properties.subnets,
    ]
    if (kind === 'networkInterfaces') {
      for (const machine of idsIn(properties.virtualMachine)) await this.#machineOn(machine, id)
    } else if (kind !== 'virtualNetworks') {
      for (const user of idsIn(users)) await this.createDependent(id, kind, user)
    }
  }

  /** Creates a network interface or subnet that uses the address, subnet or security group. */
  async createDependent(id: string, kind: string, user: string): Promise<void> {
    const [networkInterface = '', name = 'ipconfig1'] = user.split('/ipConfigurations/')
    if (this.#createdIds.has(networkInterface.toLowerCase())) return
    this.#createdIds.add(networkInterface.toLowerCase())
    const above = parentOf(networkInterface)
    if (above !== null) await this.create(above)
    if (callOf('GET', networkInterface).kind === 'virtualNetworks/subnets') {
      return this.#put(networkInterface, {
        properties: { addressPrefix: `10.${200 + this.#next()}.0.0/16`, networkSecurityGroup: { id } },
      })
    }
    if (callOf('GET', networkInterface).kind !== 'networkInterfaces') return
    const { properties } = await this.#configuration(networkInterface, this.#region)
    await this.#put(networkInterface, {
      location: this.#region,
      properties: {
        ...(kind === 'networkSecurityGroups' ? { networkSecurityGroup: { id } } : {}),
        ipConfigurations: [
          {
            name,
            properties: {
              ...properties,
              ...(kind === 'publicIPAddresses' ? { publicIPAddress: { id } } : {}),
              ...(kind === 'virtualNetworks/subnets' ? { subnet: { id } } : {}),
            },
          },
        ],
      },
    })
  }

  async #machineOn(id: string, networkInterface: string): Promise<void> {
    await this.create(id, { properties: { networkProfile: { networkInterfaces: [{ id: networkInterface }] } } })
  }

  async #configuration(networkInterface: string, location: string): Promise<{ name: string; properties: Body }> {
    const network = `${groupOf(networkInterface)}/providers/Microsoft.Network/virtualNetworks/stage-${location}`
    const subnet = `${network}/subnets/default`
    await this.create(network, { location, properties: { addressSpace: { addressPrefixes: SPACE } } })
    await this.create(subnet)
    return { name: 'ipconfig1', properties: { subnet: { id: subnet } } }
  }

  async #machine(id: string, location: string, responseBody: Body): Promise<Body> {
    const properties = asRequest(responseBody.properties ?? {})
    const network = properties.networkProfile as { networkInterfaces?: { id: string }[] } | undefined
    const networkInterfaces = network?.networkInterfaces ?? [
      { id: `${groupOf(id)}/providers/Microsoft.Network/networkInterfaces/${nameOf(id)}-stage` },
    ]
    for (const networkInterface of networkInterfaces) await this.create(networkInterface.id, { location })
    const storage = (properties.storageProfile ?? {}) as Body
    return adapted('virtualMachines', {
      ...asRequest(responseBody),
      location,
      properties: {
        hardwareProfile: { vmSize: 'Standard_D2s_v3' },
        ...properties,
        osProfile: properties.osProfile ?? { computerName: 'stage', adminUsername: 'trainee' },
        storageProfile: {
          imageReference: {},
          ...storage,
          osDisk: { createOption: 'FromImage', ...(storage.osDisk as Body | undefined) },
        },
        networkProfile: { networkInterfaces: networkInterfaces },
      },
    })
  }

  /** Creates a disk together with a machine. For an unattached disk, the machine is then deleted. */
  async #disk(id: string, responseBody: Body): Promise<void> {
    const osType = (responseBody.properties as Body | undefined)?.osType ?? 'Linux'
    const storageAccountType = (responseBody.sku as Body | undefined)?.name
    const osDisk = { name: nameOf(id), osType, deleteOption: 'Detach', managedDisk: { storageAccountType } }
    const owner = responseBody.managedBy
    const machine =
      typeof owner === 'string' ? owner : `${groupOf(id)}/providers/Microsoft.Compute/virtualMachines/owner`
    await this.create(machine, { properties: { storageProfile: { osDisk } } })
    if (typeof owner === 'string') return
    await this.#emulator.arm('DELETE', machine)
    this.#createdIds.delete(machine.toLowerCase())
    await this.settle()
  }

  /** Creates an image version from a machine, the only source that the emulator supports. */
  async #version(id: string, location: string, responseBody: Body): Promise<void> {
    const source = `${groupOf(id)}/providers/Microsoft.Compute/virtualMachines/stage-source`
    await this.create(source)
    const { publishingProfile } = (responseBody.properties ?? {}) as { publishingProfile?: { targetRegions?: Body[] } }
    const regions = publishingProfile?.targetRegions?.map(({ name }) => ({ name: regionOf(name) })) ?? []
    const targetRegions = regions.some(({ name }) => name === location) ? regions : [...regions, { name: location }]
    await this.#put(id, {
      location,
      properties: { publishingProfile: { targetRegions }, storageProfile: { source: { virtualMachineId: source } } },
    })
  }

  async #put(id: string, body: Body, settle = true): Promise<void> {
    const reply = await this.#emulator.arm('PUT', id, body)
    if (reply.status >= 300) throw new Error(`Can't create ${id}: ${reply.status} ${JSON.stringify(reply.body)}`)
    if (settle && this.#patient && reply.headers.has('azure-asyncoperation')) await this.settle()
  }

  #next(): number {
    this.#numbers += 1
    return this.#numbers
  }
}

/** The whole IPv4 range, because the subnets of recordings have any prefix. */
const SPACE = ['0.0.0.0/1', '128.0.0.0/1']

const RULE = {
  protocol: 'Tcp',
  access: 'Allow',
  direction: 'Inbound',
  sourceAddressPrefix: '*',
  sourcePortRange: '*',
  destinationAddressPrefix: '*',
  destinationPortRange: '80',
}

const EXTENSION = {
  publisher: 'Microsoft.OSTCExtensions',
  type: 'VMAccessForLinux',
  typeHandlerVersion: '1.5',
  protectedSettings: { username: 'trainee', password: 'Sup3r-secret-2' },
}

const definition = (number: number) => ({
  osType: 'Linux',
  osState: 'Specialized',
  hyperVGeneration: 'V1',
  identifier: { publisher: 'publisher', offer: 'offer', sku: `sku-${number}` },
})

const ROLE = (id: string) => ({
  roleDefinitionId: `/subscriptions/${id.split('/')[2] ?? ''}/providers/Microsoft.Authorization/roleDefinitions/acdd72a7-3385-48ef-bd42-f606fba81ae7`,
})

const POLICY = {
  policyDefinitionId: '/providers/Microsoft.Authorization/policyDefinitions/cccc23c7-8427-4f53-ad12-b6a63eb452b3',
  parameters: { listOfAllowedSKUs: { value: ['Standard_D2s_v3'] } },
}

export const nameOf = (id: string): string => id.slice(id.lastIndexOf('/') + 1)

export const groupOf = (id: string): string => /^\/subscriptions\/[^/]+\/resourceGroups\/[^/]+/i.exec(id)?.[0] ?? ''

/** Returns the ID of the parent resource or of the group. null for a group. */
export function parentOf(id: string): string | null {
  if (!/\/providers\//i.test(id)) return null
  const group = groupOf(id)
  const parts = id.slice(group.length).split('/').slice(3)
  if (parts.length > 2) return id.split('/').slice(0, -2).join('/')
  return group === '' ? null : group
}

/** Returns the IDs of all resources in groups that a body contains. */
function idsIn(value: unknown): string[] {
  const found: string[] = []
  const collectIds = (inner: unknown): void => {
    if (typeof inner === 'string') {
      if (/^\/subscriptions\/[^/]+\/resourceGroups\/[^/]+\/providers\/[^/]+\/[^/]+\/[^/]+/i.test(inner))
        found.push(inner)
    } else if (typeof inner === 'object' && inner !== null) for (const each of Object.values(inner)) collectIds(each)
  }
  collectIds(value)
  return found
}

export async function send(
  emulator: TestEmulator,
  method: string,
  path: string,
  body?: unknown,
  token = 'of-a-test',
): Promise<Reply> {
  const response = await fetch(emulator.url + path, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: readable(text) }
}

/** Returns undefined if the reply is not JSON, such as the error page of a proxy. */
function readable(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
