import { locations } from '@trainyard/azure/emulator/arm/locations.ts'
import { sizes } from '@trainyard/azure/emulator/compute/sizes.ts'
import type { Recording } from '../recordings.ts'

export type Body = Record<string, unknown>

export interface Request {
  readonly method: string
  readonly path: string
  readonly body: Body | undefined
}

const ZEROS = '00000000-0000-0000-0000-000000000000'

/** Moves a recording to a separate, empty subscription. */
export function inSubscription<T>(value: T, subscription: string): T {
  return JSON.parse(JSON.stringify(value).replaceAll(`/subscriptions/${ZEROS}`, `/subscriptions/${subscription}`)) as T
}

/** Fields that only the provider sets, and references to resources that the emulator does not have. */
const READ_ONLY = new Set(
  `etag systemData provisioningState resourceGuid vmId timeCreated instanceView ipConfiguration
  ipAddress macAddress virtualMachine networkInterfaces defaultSecurityRules hostedWorkloads tapConfigurations
  uniqueId diskState diskSizeBytes managedBy managedByExtended resources virtualNetworkPeerings replicationStatus
  createdOn updatedOn createdBy updatedBy appliedDnsServers internalDomainNameSuffix natGateway`.split(/\s+/),
)

/** Converts the view of a resource to the body that a client would send for it. */
export function asRequest(responseBody: unknown): Body {
  const {
    id: _,
    name: __,
    type: ___,
    ...rest
  } = (typeof responseBody === 'object' && responseBody !== null ? responseBody : {}) as Body
  return withoutReadOnlyFields(rest, '') as Body
}

function withoutReadOnlyFields(value: unknown, parentField: string): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutReadOnlyFields(item, parentField))
  if (typeof value !== 'object' || value === null) return value
  // An embedded child resource (it has an etag, or an ID and a name) is sent without its ID. A reference has only an ID,
  // which is sent.
  const isPart = 'etag' in value || ('id' in value && 'name' in value)
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => parentField === 'networkProfile' || !READ_ONLY.has(name))
      .filter(([name]) => !(isPart && (name === 'id' || name === 'type')))
      .map(([name, inner]) => [name, withoutReadOnlyFields(inner, name)]),
  )
}

/** Replaces a special location (EUAP, edge zones) by a standard location. */
export function regionOf(location: unknown): string {
  const normalised = typeof location === 'string' ? location.toLowerCase().replaceAll(' ', '') : ''
  return locations.includes(normalised) ? normalised : 'eastus2'
}

/** Catalogued images of generation 1. Generation 2 images would create Trusted Launch machines. */
const IMAGES = {
  Linux: { publisher: 'Canonical', offer: '0001-com-ubuntu-server-jammy', sku: '22_04-lts', version: 'latest' },
  Windows: { publisher: 'MicrosoftWindowsServer', offer: 'WindowsServer', sku: '2022-datacenter', version: 'latest' },
}
const SECOND_GENERATION = { Linux: '22_04-lts-gen2', Windows: '2022-datacenter-g2' }
const PASSWORD = 'Sup3r-secret-1'
const KEY = 'ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAAAgQC7vbqajDhA8kZ trainee@example.com'

/** Adapts the body: adds secrets, which are not recorded, and replaces retired sizes, images and SKUs. */
export function adapted(kind: string, body: Body): Body {
  const located = 'location' in body ? { ...body, location: regionOf(body.location) } : body
  if (kind === 'users' && 'passwordProfile' in body) {
    return { ...body, passwordProfile: { ...(body.passwordProfile as Body), password: PASSWORD } }
  }
  if (kind === 'virtualMachines') return adaptedMachine(located)
  if (kind === 'virtualMachines/extensions') return adaptedExtension(located)
  if (kind === 'publicIPAddresses') return adaptedAddress(located)
  return located
}

/** Adds the secrets that were removed from the recordings. */
function adaptedExtension(body: Body): Body {
  const properties = (body.properties ?? {}) as Body
  const isRedacted = typeof properties.protectedSettings === 'string'
  return isRedacted
    ? { ...body, properties: { ...properties, protectedSettings: { username: 'trainee', password: PASSWORD } } }
    : body
}

/**
 * Adapts the body of a request that Azure refused. Only machines are adapted, because other changes could remove the
 * reason for the refusal.
 */
const adaptedRefusedBody = (kind: string, body: Body): Body => (kind === 'virtualMachines' ? adapted(kind, body) : body)

/** Basic and dynamic addresses are retired. */
function adaptedAddress(body: Body): Body {
  const properties = (body.properties ?? {}) as Body
  return { ...body, sku: { name: 'Standard' }, properties: { ...properties, publicIPAllocationMethod: 'Static' } }
}

function adaptedMachine(body: Body): Body {
  const properties = body.properties as Body | undefined
  if (properties === undefined) return body
  const { osProfile, storageProfile, hardwareProfile, ...rest } = properties
  return {
    ...body,
    properties: {
      ...rest,
      ...(hardwareProfile === undefined ? {} : { hardwareProfile: adaptedSize(hardwareProfile as Body) }),
      ...(storageProfile === undefined
        ? {}
        : { storageProfile: adaptedStorage(storageProfile as Body, 'securityProfile' in rest) }),
      ...(osProfile === undefined ? {} : { osProfile: adaptedOsProfile(osProfile as Body) }),
    },
  }
}

function adaptedSize(profile: Body): Body {
  const offered = sizes.some(({ name }) => name.toLowerCase() === String(profile.vmSize).toLowerCase())
  return offered ? profile : { ...profile, vmSize: 'Standard_D2s_v3' }
}

function adaptedStorage(storage: Body, trusted: boolean): Body {
  const image = (storage.imageReference ?? {}) as Body
  const disk = (storage.osDisk ?? {}) as Body
  const os = disk.osType === 'Windows' || /windows/i.test(String(image.publisher)) ? 'Windows' : 'Linux'
  const { vhd: _, ...osDisk } = disk
  const data = (storage.dataDisks ?? []) as Body[]
  return {
    ...storage,
    imageReference: { ...IMAGES[os], ...(trusted ? { sku: SECOND_GENERATION[os] } : {}) },
    ...(storage.osDisk === undefined
      ? {}
      : { osDisk: { ...osDisk, createOption: 'FromImage', ...newManagedDisk(disk) } }),
    ...(data.length === 0
      ? {}
      : { dataDisks: data.map(({ vhd: __, ...one }) => ({ ...one, createOption: 'Empty', ...newManagedDisk(one) })) }),
  }
}

/** The machine creates its own disks, so references to existing disks are removed. */
const newManagedDisk = ({ managedDisk }: Body): Body => {
  const type = (managedDisk as Body | undefined)?.storageAccountType
  return typeof type === 'string' ? { managedDisk: { storageAccountType: type } } : { managedDisk: {} }
}

function adaptedOsProfile(profile: Body): Body {
  const linux = profile.linuxConfiguration as Body | undefined
  const ssh = linux?.ssh as { publicKeys?: Body[] } | undefined
  const keys = ssh?.publicKeys?.map((key) => ({ ...key, keyData: KEY }))
  return {
    ...profile,
    ...(linux?.disablePasswordAuthentication === true ? {} : { adminPassword: PASSWORD }),
    ...(keys === undefined ? {} : { linuxConfiguration: { ...linux, ssh: { publicKeys: keys } } }),
  }
}

/** Returns the recorded request, or reconstructs it from the reply if it was not recorded. */
export function bodyOf(recording: Recording, kind: string): Body | undefined {
  if (!['PUT', 'PATCH', 'POST'].includes(recording.method)) return undefined
  const sent = recording.requestBody
  if (typeof sent === 'object' && sent !== null) {
    return recording.status < 400 ? adapted(kind, sent as Body) : adaptedRefusedBody(kind, sent as Body)
  }
  if (
    recording.method === 'POST' ||
    recording.status >= 400 ||
    typeof recording.body !== 'object' ||
    recording.body === null
  )
    return undefined
  return adapted(kind, asRequest(recording.body))
}
