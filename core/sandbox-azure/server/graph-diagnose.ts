import { Client } from '@microsoft/microsoft-graph-client'
import { CloudError } from '@trainyard/platform/server/providers/errors.ts'
import type { AppCredential, DirectoryDiagnosis } from './identity-provider.ts'
import { asCloudError } from './errors.ts'
import { type GraphSettings, graphWire } from './wire.ts'

/** App id of Microsoft Graph, the same in every directory. */
const GRAPH = '00000003-0000-0000-c000-000000000000'

export function graphDiagnosis(settings: GraphSettings): DirectoryDiagnosis {
  const graph = Client.initWithMiddleware({ middleware: graphWire(settings) })

  async function get(action: string, path: string, signal: AbortSignal): Promise<unknown> {
    try {
      return await graph.api(path).options({ signal }).get()
    } catch (problem) {
      throw asCloudError(problem, action)
    }
  }

  return {
    async verifiedDomains(signal) {
      const reply = await get('read the directory', '/organization?$select=id,verifiedDomains', signal)
      const domains = listIn<{ verifiedDomains?: { name?: string; type?: string }[] }>(reply)[0]?.verifiedDomains ?? []
      return domains.flatMap(({ name, type }) =>
        name === undefined ? [] : [{ name: name.toLowerCase(), federated: type === 'Federated' }],
      )
    },

    async credentials(clientId, signal) {
      const path = `/applications(appId='${clientId}')?$select=passwordCredentials,keyCredentials`
      const { passwordCredentials = [], keyCredentials = [] } = (await get(
        'read its secrets',
        path,
        signal,
      )) as Credentials
      const of =
        (kind: AppCredential['kind']) =>
        ({ displayName, hint, endDateTime }: Credential): AppCredential[] =>
          endDateTime === undefined
            ? []
            : [{ kind, name: displayName ?? '', hint: hint ?? null, endsAt: new Date(endDateTime) }]
      return [...passwordCredentials.flatMap(of('secret')), ...keyCredentials.flatMap(of('certificate'))]
    },

    async granted(clientId, signal) {
      const action = 'list its permissions'
      const [graphItself, own] = await Promise.all([
        get(action, `/servicePrincipals(appId='${GRAPH}')?$select=id,appRoles`, signal),
        get(action, `/servicePrincipals(appId='${clientId}')?$select=id`, signal),
      ])
      const { id: graphId, appRoles = [] } = graphItself as {
        id?: string
        appRoles?: { id?: string; value?: string }[]
      }
      const { id } = own as { id?: string }
      const reply = await get(action, `/servicePrincipals/${id}/appRoleAssignments?$top=999`, signal)
      const granted = new Set(
        listIn<{ appRoleId?: string; resourceId?: string }>(reply)
          .filter(({ resourceId }) => resourceId === graphId)
          .map(({ appRoleId }) => appRoleId),
      )
      return appRoles.flatMap((role) => (role.value !== undefined && granted.has(role.id) ? [role.value] : []))
    },
  }
}

interface Credential {
  readonly displayName?: string | null
  readonly hint?: string | null
  readonly endDateTime?: string
}

interface Credentials {
  readonly passwordCredentials?: readonly Credential[]
  readonly keyCredentials?: readonly Credential[]
}

function listIn<T>(reply: unknown): T[] {
  const value = (reply as { value?: unknown } | null)?.value
  if (!Array.isArray(value)) throw new CloudError('unreachable', "Entra's list could not be read.")
  return value as T[]
}
