import { z } from 'zod'
import { call } from '@trainyard/platform/contract/call.ts'
import { GROUP_ROLES, SCIM_TOKEN_DAYS_MAX } from './scim-words.ts'
import { instant, name, enteredName } from '@trainyard/platform/contract/shapes.ts'

const admins = ['admin', 'superadmin'] as const

/** `organization` is used by superadmins only. */
const organisationRef = z.strictObject({ organization: name.optional() })

const token = z.object({
  id: z.uuid(),
  name: z.string(),
  /** First characters of the token. The token itself is not stored. */
  prefix: z.string(),
  createdBy: z.string(),
  created: instant,
  expires: instant,
  /** Last use, accurate to the minute. */
  used: z.object({ at: instant, address: z.string() }).nullable(),
  state: z.enum(['active', 'expired']),
})
export type ScimToken = z.output<typeof token>

const group = z.object({
  id: z.uuid(),
  name: z.string(),
  members: z.int(),
  /** Access level that the group gives to its members, or null if it gives none. */
  role: z.enum(GROUP_ROLES).nullable(),
  /** Trainings whose learners follow the group. */
  trainings: z.array(z.string()),
})
export type ScimGroup = z.output<typeof group>

export const scim = {
  show: call({
    route: 'GET /admin/scim',
    for: admins,
    does: 'Returns the SCIM endpoint of an organisation, its tokens, and the groups and numbers of users that its identity provider has written.',
    query: organisationRef,
    reply: z.object({
      url: z.string(),
      tokens: z.array(token),
      groups: z.array(group),
      users: z.object({ active: z.int(), inactive: z.int() }),
    }),
  }),
  createToken: call({
    route: 'POST /admin/scim/tokens',
    for: admins,
    proof: 'fresh',
    does: 'Creates a token for the SCIM endpoint of an organisation and returns it. The token cannot be read again.',
    audit: 'created a token for user provisioning',
    body: organisationRef.extend({
      name: enteredName,
      days: z.int().min(1, 'must be at least 1').max(SCIM_TOKEN_DAYS_MAX, `must be at most ${SCIM_TOKEN_DAYS_MAX}`),
    }),
    reply: z.object({ id: z.uuid(), token: z.string(), expires: instant, message: z.string() }),
  }),
  revokeToken: call({
    route: 'DELETE /admin/scim/tokens',
    for: admins,
    does: 'Revokes a token for the SCIM endpoint. The token expires immediately and stays listed as expired. Users and groups are not deleted.',
    audit: 'revoked a token for user provisioning',
    body: organisationRef.extend({ id: z.uuid('must be the id of a token') }),
  }),
  mapGroup: call({
    route: 'POST /admin/scim/groups',
    for: admins,
    proof: 'fresh',
    does: 'Sets the access level that a group gives to its members. A group never makes superadmins.',
    audit: 'changed the access level that a group gives',
    body: organisationRef.extend({
      group: z.uuid('must be the id of a group'),
      role: z.enum(GROUP_ROLES).nullable(),
    }),
  }),
}

/** Texts that follow the portal's name in the audit log: actions that are no calls. */
export const scimActions = {
  'scim.createUser': 'The identity provider created a user',
  'scim.changeUser': 'The identity provider changed a user',
  'scim.deleteUser': 'The identity provider deleted a user',
  'scim.createGroup': 'The identity provider created a group',
  'scim.changeGroup': 'The identity provider changed a group',
  'scim.deleteGroup': 'The identity provider deleted a group',
  'scim.request': 'used the endpoint of user provisioning',
} as const

declare module '@trainyard/platform/contract/contract.ts' {
  interface Contract {
    scim: typeof scim
  }
}
