import { z } from 'zod'
import type { Settings } from '#src/record/settings.ts'
import { serviceUrl, type GraphOperation } from '#src/graph/operation.ts'
import { GraphRefusal, notFound } from '#src/graph/refusal.ts'

/** Domains of the directory, and the application permissions granted to the portal's app registration. */
export const tenantShape = z.strictObject({
  domains: z.array(z.string()).default(['labs.test']),
  /** Domains whose users another identity provider signs in. */
  federated: z.array(z.string()).default([]),
  /** End of the client secret. */
  secretEndsAt: z.iso.datetime().default('2099-12-31T00:00:00Z'),
  permissions: z
    .array(z.string())
    .default([
      'User.ReadWrite.All',
      'User.DeleteRestore.All',
      'User.RevokeSessions.All',
      'Application.Read.All',
      'Organization.Read.All',
    ]),
})
type Tenant = z.infer<typeof tenantShape>

export const setTenant = (settings: Settings, tenant: Tenant): void =>
  settings.write('directory.tenant', JSON.stringify(tenant))

const tenantIn = (settings: Settings): Tenant =>
  tenantShape.parse(JSON.parse(settings.read('directory.tenant') ?? '{}'))

export function requirePermission(settings: Settings, { permission = 'User.ReadWrite.All' }: GraphOperation): void {
  if (tenantIn(settings).permissions.includes(permission)) return
  throw new GraphRefusal(403, 'Authorization_RequestDenied', 'Insufficient privileges to complete the operation.')
}

const graph = { appId: '00000003-0000-0000-c000-000000000000', id: '00000000-0000-4000-8000-000000000030' }
const portal = { appId: '00000000-0000-4000-8000-000000000003', id: '00000000-0000-4000-8000-000000000004' }

/** Application permissions that the emulator checks, with their IDs from Graph's permissions reference. */
const appRoles = [
  { id: '741f803b-c850-494e-b5df-cde7c675a1ca', value: 'User.ReadWrite.All' },
  { id: 'eccc023d-eccf-4e7b-9683-8813ab36cecc', value: 'User.DeleteRestore.All' },
  { id: '77f3a031-c388-4f99-b373-dc68676a979e', value: 'User.RevokeSessions.All' },
  { id: '9a5d68dd-52b0-4cc2-bd40-abcf44ac3a30', value: 'Application.Read.All' },
  { id: '498476ce-e0fe-48b0-b801-37ba7e2685c6', value: 'Organization.Read.All' },
].map((role) => ({ ...role, allowedMemberTypes: ['Application'], isEnabled: true, origin: 'Application' }))

export const tenantOperations = (settings: Settings): readonly GraphOperation[] => [
  {
    name: 'organization.organization.ListOrganization',
    method: 'GET',
    path: '/organization',
    permission: 'Organization.Read.All',
    handle: () => ({
      status: 200,
      body: {
        '@odata.context': `${serviceUrl}/$metadata#organization(id,verifiedDomains)`,
        value: [
          {
            id: '00000000-0000-4000-8000-000000000002',
            verifiedDomains: tenantIn(settings).domains.map((name, index) => ({
              capabilities: 'Email, OfficeCommunicationsOnline',
              isDefault: index === 0,
              isInitial: index === 0,
              name,
              type: tenantIn(settings).federated.includes(name) ? 'Federated' : 'Managed',
            })),
          },
        ],
      },
    }),
  },
  {
    name: 'applications.application.GetByAppId',
    method: 'GET',
    // The key is `(appId='...')`.
    path: '/applications:key',
    permission: 'Application.Read.All',
    handle({ params }) {
      const appId = /^\(appId='([\da-f-]+)'\)$/i.exec(decodeURIComponent(params.key ?? ''))?.[1]
      if (appId !== portal.appId) throw notFound(appId ?? '')
      const secret = { displayName: 'portal', hint: 'emu', endDateTime: tenantIn(settings).secretEndsAt }
      return {
        status: 200,
        body: {
          '@odata.context': `${serviceUrl}/$metadata#applications(passwordCredentials,keyCredentials)/$entity`,
          passwordCredentials: [secret],
          keyCredentials: [],
        },
      }
    },
  },
  {
    name: 'servicePrincipals.servicePrincipal.GetByAppId',
    method: 'GET',
    // The key is `(appId='...')`.
    path: '/servicePrincipals:key',
    permission: 'Application.Read.All',
    handle({ params }) {
      const appId = /^\(appId='([\da-f-]+)'\)$/i.exec(decodeURIComponent(params.key ?? ''))?.[1]
      const found = [{ ...graph, appRoles }, portal].find((each) => each.appId === appId)
      if (found === undefined) throw notFound(appId ?? '')
      return { status: 200, body: { '@odata.context': `${serviceUrl}/$metadata#servicePrincipals/$entity`, ...found } }
    },
  },
  {
    name: 'servicePrincipals.ListAppRoleAssignments',
    method: 'GET',
    path: '/servicePrincipals/:id/appRoleAssignments',
    permission: 'Application.Read.All',
    handle({ params }) {
      if (params.id !== portal.id) throw notFound(params.id ?? '')
      const { permissions } = tenantIn(settings)
      const value = appRoles
        .filter(({ value }) => permissions.includes(value))
        .map(({ id }) => ({
          id: Buffer.from(id).toString('base64url'),
          appRoleId: id,
          principalId: portal.id,
          principalType: 'ServicePrincipal',
          resourceId: graph.id,
          resourceDisplayName: 'Microsoft Graph',
        }))
      return { status: 200, body: { '@odata.context': `${serviceUrl}/$metadata#appRoleAssignments`, value } }
    },
  },
]
