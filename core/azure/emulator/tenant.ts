import { X509Certificate } from 'node:crypto'
import { z } from 'zod'
import type { Settings } from '@trainyard/platform/emulator/record/settings.ts'
import { portalApp, serviceUrl, type GraphOperation } from './operation.ts'
import { iso } from '@trainyard/platform/emulator/clock/clock.ts'
import { GraphRefusal, notFound } from './refusal.ts'

const federatedCredentialShape = z.strictObject({
  issuer: z.string(),
  subject: z.string(),
  audiences: z.array(z.string()).default(['api://AzureADTokenExchange']),
  /** Public keys of the issuer, as JSON Web Keys. Entra reads them at the issuer's address. */
  keys: z.array(z.looseObject({ kid: z.string() })),
})
export type FederatedCredential = z.infer<typeof federatedCredentialShape>

/** Domains of the directory, and credentials and granted application permissions of the portal's app registration. */
export const tenantShape = z.strictObject({
  domains: z.array(z.string()).default(['labs.test']),
  /** Domains whose users another identity provider signs in. */
  federated: z.array(z.string()).default([]),
  /** End of the client secret. */
  secretEndsAt: z.iso.datetime().default('2099-12-31T00:00:00Z'),
  /** Registered certificates, as PEM. */
  certificates: z.array(z.string()).default([]),
  federatedCredentials: z.array(federatedCredentialShape).default([]),
  /** Managed identities of the portal's host: the system's, and client IDs of user-assigned ones. */
  managedIdentities: z
    .strictObject({ system: z.boolean().default(false), user: z.array(z.string()).default([]) })
    .prefault({}),
  /** Mailboxes of Microsoft 365 from which the portal may send. */
  mailboxes: z.array(z.string()).default(['trainyard@localhost.test']),
  permissions: z
    .array(z.string())
    .default([
      'User.ReadWrite.All',
      'User.DeleteRestore.All',
      'User.RevokeSessions.All',
      'UserAuthMethod-TAP.ReadWrite.All',
      'Application.Read.All',
      'Organization.Read.All',
      'Mail.Send',
    ]),
})
export type Tenant = z.infer<typeof tenantShape>

export const setTenant = (settings: Settings, tenant: Tenant): void =>
  settings.write('directory.tenant', JSON.stringify(tenant))

export const tenantIn = (settings: Settings): Tenant =>
  tenantShape.parse(JSON.parse(settings.read('directory.tenant') ?? '{}'))

export function requirePermission(settings: Settings, { permission = 'User.ReadWrite.All' }: GraphOperation): void {
  if (tenantIn(settings).permissions.includes(permission)) return
  throw new GraphRefusal(403, 'Authorization_RequestDenied', 'Insufficient privileges to complete the operation.')
}

const graph = { appId: '00000003-0000-0000-c000-000000000000', id: '00000000-0000-4000-8000-000000000030' }
const portal = { appId: portalApp, id: '00000000-0000-4000-8000-000000000004' }

/** Application permissions that the emulator checks, with their IDs from Graph's permissions reference. */
const appRoles = [
  { id: '741f803b-c850-494e-b5df-cde7c675a1ca', value: 'User.ReadWrite.All' },
  { id: 'eccc023d-eccf-4e7b-9683-8813ab36cecc', value: 'User.DeleteRestore.All' },
  { id: '77f3a031-c388-4f99-b373-dc68676a979e', value: 'User.RevokeSessions.All' },
  { id: '627169a8-8c15-451c-861a-5b80e383de5c', value: 'UserAuthMethod-TAP.ReadWrite.All' },
  { id: '9a5d68dd-52b0-4cc2-bd40-abcf44ac3a30', value: 'Application.Read.All' },
  { id: '498476ce-e0fe-48b0-b801-37ba7e2685c6', value: 'Organization.Read.All' },
  { id: 'b633e1c5-b582-4048-a93e-9f11b44c7e96', value: 'Mail.Send' },
].map((role) => ({ ...role, allowedMemberTypes: ['Application'], isEnabled: true, origin: 'Application' }))

function keyCredential(pem: string) {
  const { fingerprint, subject, validFrom, validTo } = new X509Certificate(pem)
  return {
    customKeyIdentifier: Buffer.from(fingerprint.replaceAll(':', ''), 'hex').toString('base64'),
    displayName: subject,
    startDateTime: iso(Date.parse(validFrom)),
    endDateTime: iso(Date.parse(validTo)),
    type: 'AsymmetricX509Cert',
    usage: 'Verify',
    key: null,
  }
}

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
          keyCredentials: tenantIn(settings).certificates.map(keyCredential),
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
