import { AuthorizationManagementClient, type Permission as AzurePermission } from '@azure/arm-authorization'
import type { GalleryImageVersion } from '@azure/arm-compute'
import type { Usage } from '@azure/arm-network'
import { createPipelineRequest, RestError } from '@azure/core-rest-pipeline'
import { parseAzureNetworkId } from './azure-network-id.ts'
import type { AzureImage } from './azure-spec.ts'
import { CloudError } from '@trainyard/platform/server/providers/errors.ts'
import type { CloudDiagnosis, Permission } from './cloud-diagnosis.ts'
import { call, type CallOptions, callOrNull } from './calls.ts'
import { type AzureClients, azureClients, type AzureSettings, clientOptions } from './clients.ts'
import { parseImageDefinitionId } from './gallery-names.ts'
import { isList, listAll } from './list-all.ts'
import { nullIfAbsent } from './errors.ts'
import { refusalOfSubnet } from './machine-subnet.ts'
import { policyCheck } from './policy-check.ts'
import { asymmetricRoutes } from './asymmetric-routes.ts'

const LIST_PERMISSIONS = 'list its permissions'

export function azureDiagnosis(settings: AzureSettings): CloudDiagnosis {
  const { subscriptionId, credential } = settings
  const clients = azureClients(settings)
  const { network, resources } = clients
  const deniedByPolicy = policyCheck(settings)
  const authorization = new AuthorizationManagementClient(credential, subscriptionId, clientOptions(settings))

  async function listPermissions(scope: string, signal: AbortSignal): Promise<Permission[]> {
    const path = `${scope}/providers/Microsoft.Authorization/permissions?api-version=2022-04-01`
    const { body } = await call(LIST_PERMISSIONS, signal, (options) => get(settings, clients, path, options))
    if (!isList(body)) throw new CloudError('unreachable', "Azure's list could not be read.")
    return (body.value as AzurePermission[]).map(permissionOf)
  }

  return {
    async subscription(signal) {
      const { at, body } = await call('read the subscription', signal, (options) =>
        get(settings, clients, `/subscriptions/${subscriptionId}?api-version=2022-12-01`, options),
      )
      const { displayName, tenantId, state } = body as Partial<Record<string, string>>
      if (tenantId === undefined || state === undefined) {
        throw new CloudError('unreachable', "Azure's description of the subscription could not be read.")
      }
      return { name: displayName ?? subscriptionId, tenantId, state, at }
    },

    async permissions(group, signal) {
      if (group === null) {
        // Azure answers this request although its published specification, and therefore every client, lacks it:
        // azure-rest-api-specs#19473.
        return await listPermissions(`/subscriptions/${subscriptionId}`, signal)
      }
      return nullIfAbsent(async () => {
        const all = await listAll<AzurePermission>(LIST_PERMISSIONS, signal, (options) =>
          authorization.permissions.listForResourceGroup(group, options),
        )
        return all.map(permissionOf)
      })
    },

    permissionsAt: (resourceId, signal) => nullIfAbsent(() => listPermissions(resourceId, signal)),

    async registration(namespace, signal) {
      const { body } = await callOrNull(`read the provider ${namespace}`, signal, (options) =>
        resources.providers.get(namespace, options),
      )
      return body?.registrationState ?? null
    },

    async group(name, signal) {
      const { body } = await callOrNull(`read the group ${name}`, signal, (options) =>
        resources.resourceGroups.get(name, options),
      )
      return body === null ? null : { location: body.location }
    },

    async network(group, nameOrId, signal) {
      const parsedNetwork = parseAzureNetworkId(nameOrId)
      const { virtualNetworks } = parsedNetwork === null ? network : clients.networkIn(parsedNetwork.subscriptionId)
      const {
        resourceGroup,
        name,
        subnet: wanted,
      } = parsedNetwork ?? { resourceGroup: group, name: nameOrId, subnet: null }
      const { body } = await callOrNull(`read the network ${name}`, signal, (options) =>
        virtualNetworks.get(resourceGroup, name, options),
      )
      if (body === null) return null
      const subnets = (body.subnets ?? []).filter(
        (subnet) => refusalOfSubnet(subnet) === null && (wanted === null || subnet.name === wanted),
      )
      return { location: body.location ?? '', subnets: subnets.length }
    },

    deniedByPolicy,
    asymmetricRoutes: asymmetricRoutes(clients),

    async publicAddresses(location, signal) {
      const usages = await listAll<Usage>(`list the network limits in ${location}`, signal, (options) =>
        network.usages.list(location, options),
      )
      const found = usages.find(({ name }) => name.value === 'StandardSkuPublicIpAddresses')
      return found === undefined ? null : { used: found.currentValue, allowed: found.limit }
    },

    hasImage: (image, location, signal) =>
      image.kind === 'own'
        ? hasOwnImage(clients, image.id, location, signal)
        : hasPublishedImage(clients, image, location, signal),
  }
}

async function get(
  { endpoint = 'https://management.azure.com' }: AzureSettings,
  { resources }: AzureClients,
  path: string,
  { abortSignal, onResponse }: CallOptions,
): Promise<unknown> {
  const url = `${endpoint}${path}`
  const request = createPipelineRequest({ url, method: 'GET', abortSignal })
  const response = await resources.sendRequest(request)
  const body = parsed(response.bodyAsText)
  if (response.status !== 200) {
    const { code, message } = (body as { error?: { code?: string; message?: string } } | null)?.error ?? {}
    throw new RestError(message ?? `Azure answered ${response.status}`, {
      ...(code === undefined ? {} : { code }),
      statusCode: response.status,
      request,
      response,
    })
  }
  onResponse(response, body)
  return body
}

function parsed(text: string | null | undefined): unknown {
  try {
    return JSON.parse(String(text))
  } catch {
    return null
  }
}

const permissionOf = ({ actions, notActions }: AzurePermission): Permission => ({
  actions: actions ?? [],
  notActions: notActions ?? [],
})

async function hasPublishedImage(
  { compute }: AzureClients,
  { publisher, offer, sku, version }: Exclude<AzureImage, { kind: 'own' }>,
  location: string,
  signal: AbortSignal,
): Promise<boolean> {
  const action = `read the image ${publisher}:${offer}:${sku}:${version}`
  const images = compute.virtualMachineImages
  if (version !== 'latest') {
    const { body } = await callOrNull(action, signal, (options) =>
      images.get(location, publisher, offer, sku, version, options),
    )
    return body !== null
  }
  const { body } = await callOrNull(action, signal, (options) =>
    images.list(location, publisher, offer, sku, { ...options, top: 1 }),
  )
  return body !== null && body.length > 0
}

async function hasOwnImage(
  { compute, subscriptionId }: AzureClients,
  id: string,
  location: string,
  signal: AbortSignal,
): Promise<boolean> {
  const place = parseImageDefinitionId(id)
  if (place === null) {
    const [, group = '', name = ''] = /\/resourceGroups\/([^/]+)\/.*\/images\/([^/]+)$/i.exec(id) ?? []
    const { body } = await callOrNull(`read the image ${name}`, signal, (options) =>
      compute.images.get(group, name, options),
    )
    return body !== null && sameLocation(body.location, location)
  }
  if (place.subscriptionId.toLowerCase() !== subscriptionId.toLowerCase()) {
    throw new CloudError(
      'refused',
      `The image is in another subscription, ${place.subscriptionId}, which this check cannot read.`,
    )
  }
  const { resourceGroup, gallery, definition } = place
  const requested = /\/versions\/([^/]+)$/i.exec(id)?.[1]
  const versions = await nullIfAbsent(() =>
    listAll<GalleryImageVersion>(`read the image ${definition}`, signal, (options) =>
      compute.galleryImageVersions.listByGalleryImage(resourceGroup, gallery, definition, options),
    ),
  )
  return (versions ?? [])
    .filter(({ name }) => requested === undefined || requested === 'latest' || name === requested)
    .some(({ publishingProfile }) => publishingProfile?.targetRegions?.some(({ name }) => sameLocation(name, location)))
}

const sameLocation = (a: string, b: string): boolean =>
  a.replaceAll(' ', '').toLowerCase() === b.replaceAll(' ', '').toLowerCase()
