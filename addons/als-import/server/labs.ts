import { AuthorizationManagementClient } from '@azure/arm-authorization'
import { LabServicesClient } from '@azure/arm-labservices'
import { createPipelineRequest, type HttpClient, type PipelineResponse, RestError } from '@azure/core-rest-pipeline'
import { call, type CallOptions } from '@trainyard/azure/server/calls.ts'
import { type AzureSettings, clientOptions } from '@trainyard/azure/server/clients.ts'
import { isNotFound } from '@trainyard/azure/server/errors.ts'
import { CloudError } from '@trainyard/platform/server/providers/errors.ts'
import type { LabRole, LabServices, LabServicesResource } from './lab-services-provider.ts'

export interface LabServicesSettings extends AzureSettings {
  /** Default: the newest version that the service reports as supported (recorded in July 2025). */
  readonly apiVersion?: string
}

const API_VERSION = '2023-06-07'
const ACCOUNTS_VERSION = '2018-10-15'
const GRAPH = 'https://graph.microsoft.com'
/** Maximum number of roles of a lab that are returned, each with a query for the address. */
const MAX_ROLES = 100

/**
 * Built-in roles with which users manage a lab, most rights first.
 * Source: https://learn.microsoft.com/azure/role-based-access-control/built-in-roles
 */
const LAB_ROLES: ReadonlyMap<string, string> = new Map([
  ['8e3af657-a8ff-443c-a75c-2fe8c4bcb635', 'Owner'],
  ['b24988ac-6180-42a0-ab88-20f7382dd24c', 'Contributor'],
  ['5daaa2af-1fe8-407c-9122-bba179798270', 'Lab Contributor'],
  ['a36e6959-b6be-4b12-8e9f-ef4b474d304d', 'Lab Operator'],
  ['ce40b423-cede-4313-a93f-9b28290b72e1', 'Lab Assistant'],
])

/** Maximum number of pages of a list, against lists that never end. The longest recorded list has about 40 pages. */
const MAX_PAGES = 1_000

/**
 * Reads Lab Services with Azure's official client. The client follows pages and reports errors; the resources are taken
 * from the response texts, because the client drops unknown fields and reads the wall times of schedules as UTC.
 */
export function azureLabServices(settings: LabServicesSettings): LabServices {
  const { subscriptionId, credential, apiVersion = API_VERSION } = settings
  const options = clientOptions(settings)
  const httpClient = sameOriginOnly(options.httpClient, options.endpoint)
  const client = new LabServicesClient(credential, subscriptionId, { ...options, httpClient, apiVersion })
  const authorization = new AuthorizationManagementClient(credential, subscriptionId, { ...options, httpClient })
  /** Returns the address of a user; null if the app registration may not read the address in the directory. */
  const emailOf = async (user: string, signal: AbortSignal): Promise<string | null> => {
    const { body } = await call('read a user of the lab', signal, async ({ abortSignal, onResponse }) => {
      const token = await credential.getToken(`${GRAPH}/.default`)
      const url = `${GRAPH}/v1.0/users/${encodeURIComponent(user)}?$select=mail,userPrincipalName`
      const request = createPipelineRequest({ url, abortSignal })
      request.headers.set('authorization', `Bearer ${token?.token ?? ''}`)
      const response = await options.httpClient.sendRequest(request)
      onResponse(response, undefined)
      if (response.status < 400) return addressIn(parsed(response.bodyAsText))
      if ([401, 403, 404].includes(response.status)) return null
      throw failed(response)
    })
    return body
  }
  const children = (
    action: string,
    lab: string,
    signal: AbortSignal,
    list: (group: string, name: string, options: CallOptions) => AsyncIterable<unknown>,
  ): Promise<LabServicesResource[]> => {
    const { group, name } = placeOf(lab)
    return listPages(`${action} of ${name}`, signal, (each) => list(group, name, each))
  }
  return {
    listPlans: (signal) => listPages('list the lab plans', signal, (each) => client.labPlans.listBySubscription(each)),
    listLabs: (signal) => listPages('list the labs', signal, (each) => client.labs.listBySubscription(each)),
    listUsers: (lab, signal) =>
      children('list the users', lab, signal, (group, name, each) => client.users.listByLab(group, name, each)),
    listSchedules: (lab, signal) =>
      children('list the schedules', lab, signal, (group, name, each) => client.schedules.listByLab(group, name, each)),
    listMachines: (lab, signal) =>
      children('list the machines', lab, signal, (group, name, each) =>
        client.virtualMachines.listByLab(group, name, each),
      ),
    async listRoles(lab, signal) {
      const { group, name } = placeOf(lab)
      const assignments = await listPages(`list the roles of ${name}`, signal, (each) =>
        authorization.roleAssignments.listForResource(group, 'Microsoft.LabServices', 'labs', name, {
          ...each,
          filter: 'atScope()',
        }),
      )
      const found = assignments.flatMap((assignment) => roleIn(assignment, lab)).toSorted((a, b) => a.rank - b.rank)
      const roles: LabRole[] = []
      for (const { rank: _rank, ...one } of found.slice(0, MAX_ROLES)) {
        const email = one.principalType === 'User' ? await emailOf(one.principalId, signal) : null
        roles.push({ ...one, email })
      }
      return roles
    },
    async getImage(plan, image, signal) {
      const { group, name } = placeOf(plan)
      let text: string | null | undefined = null
      let isMissing = false
      try {
        await call(`read the image ${image}`, signal, (each) =>
          client.images.get(group, name, image, {
            ...each,
            onResponse: (response, reply) => {
              // Returns true for a missing child. Its reply is a problem document without one of Azure's codes.
              isMissing = response.status === 404 && /problem\+json/.test(response.headers.get('content-type') ?? '')
              each.onResponse(response, reply)
              text = response.bodyAsText
            },
          }),
        )
      } catch (problem) {
        if (isMissing || isNotFound(problem)) return null
        throw problem
      }
      return resourceIn(parsed(text))
    },
    async listAccounts(signal) {
      const path = `/subscriptions/${subscriptionId}/providers/Microsoft.LabServices/labaccounts`
      const { body } = await call('list the lab accounts', signal, async ({ abortSignal, onResponse }) => {
        const found: LabServicesResource[] = []
        const pages = new PageReader()
        let next: string | null = `${options.endpoint}${path}?api-version=${ACCOUNTS_VERSION}`
        while (next !== null) {
          const token = await credential.getToken(`${options.endpoint}/.default`)
          const request = createPipelineRequest({ url: next, abortSignal })
          request.headers.set('authorization', `Bearer ${token?.token ?? ''}`)
          const response: PipelineResponse = await httpClient.sendRequest(request)
          onResponse(response, undefined)
          if (response.status >= 400) throw failed(response)
          const page = pages.read(response.bodyAsText)
          found.push(...page.value)
          next = page.next
        }
        return found
      })
      return body
    },
  }
}

/** Returns the role of an assignment with its index in `LAB_ROLES`; nothing for other roles and other scopes. */
function roleIn({ properties }: LabServicesResource, lab: string) {
  const { scope, roleDefinitionId, principalId, principalType } = properties
  if (typeof scope !== 'string' || scope.toLowerCase() !== lab.toLowerCase()) return []
  if (typeof roleDefinitionId !== 'string' || typeof principalId !== 'string') return []
  const definition = roleDefinitionId.slice(roleDefinitionId.lastIndexOf('/') + 1).toLowerCase()
  const role = LAB_ROLES.get(definition)
  if (role === undefined) return []
  const rank = [...LAB_ROLES.keys()].indexOf(definition)
  return [{ role, principalType: typeof principalType === 'string' ? principalType : 'unknown', principalId, rank }]
}

/** Returns the mail address of a user. The user principal names of guests (with #EXT#) are not addresses. */
function addressIn(user: unknown): string | null {
  const { mail, userPrincipalName } = (user ?? {}) as { mail?: unknown; userPrincipalName?: unknown }
  const address = typeof mail === 'string' && mail !== '' ? mail : userPrincipalName
  return typeof address === 'string' && address.includes('@') && !address.includes('#') ? address.toLowerCase() : null
}

const failed = (response: PipelineResponse): RestError =>
  new RestError(`Azure answered ${response.status}.`, {
    statusCode: response.status,
    request: response.request,
    response,
  })

async function listPages(
  action: string,
  signal: AbortSignal,
  list: (options: CallOptions) => AsyncIterable<unknown>,
): Promise<LabServicesResource[]> {
  const { body } = await call(action, signal, async (each) => {
    const found: LabServicesResource[] = []
    const reader = new PageReader()
    const pages = list({
      ...each,
      onResponse: (response, reply) => {
        each.onResponse(response, reply)
        if (response.status < 400) found.push(...reader.read(response.bodyAsText).value)
      },
    })
    // The client requests the next page when its items are read.
    for await (const _ of pages) continue
    return found
  })
  return body
}

/** Reads the pages of one list. Rejects an unreadable page, a repeated link, and too many pages. */
class PageReader {
  readonly #links = new Set<string>()

  read(text: string | null | undefined): { value: LabServicesResource[]; next: string | null } {
    const page = parsed(text)
    if (typeof page !== 'object' || page === null || !('value' in page) || !Array.isArray(page.value)) {
      throw new CloudError('unreachable', "Azure's list could not be read.")
    }
    const next = 'nextLink' in page && typeof page.nextLink === 'string' && page.nextLink !== '' ? page.nextLink : null
    if (next !== null && (this.#links.has(next) || this.#links.size >= MAX_PAGES)) {
      throw new CloudError('refused', "Azure's list does not end: it links to a page that was already read.")
    }
    if (next !== null) this.#links.add(next)
    return { value: page.value.map(resourceIn), next }
  }
}

function parsed(text: string | null | undefined): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    throw new CloudError('unreachable', "Azure's response could not be read.")
  }
}

function resourceIn(value: unknown): LabServicesResource {
  if (typeof value !== 'object' || value === null)
    throw new CloudError('unreachable', "Azure's list could not be read.")
  const fields = value as Record<string, unknown>
  const { id, name, properties } = fields
  if (typeof id !== 'string' || typeof name !== 'string') {
    throw new CloudError('unreachable', "Azure's list could not be read: an object has no ID.")
  }
  return {
    ...fields,
    id,
    name,
    properties: typeof properties === 'object' && properties !== null ? (properties as Record<string, unknown>) : {},
  }
}

/** Returns group and name of a lab or plan. @throws CloudError refused if the ID has another form */
function placeOf(id: string): { readonly group: string; readonly name: string } {
  const [, group, name] =
    /^\/subscriptions\/[^/]+\/resourceGroups\/([^/]+)\/providers\/Microsoft\.LabServices\/lab(?:s|Plans)\/([^/]+)$/i.exec(
      id,
    ) ?? []
  if (group === undefined || name === undefined) throw new CloudError('refused', 'The ID of the lab could not be read.')
  return { group, name }
}

/**
 * Rejects links to another host, which would receive the access token. A link that states the default port is allowed.
 */
function sameOriginOnly(wire: HttpClient, endpoint: string): HttpClient {
  const { origin } = new URL(endpoint)
  return {
    async sendRequest(request) {
      if (new URL(request.url).origin === origin) return wire.sendRequest(request)
      throw new CloudError('refused', `Azure's list continues at another host (${new URL(request.url).host}).`)
    },
  }
}
