import { z } from 'zod'
import { defineCall } from '../call.ts'
import { ROLES } from '../words/role.ts'
import { GROUP_ROLES } from '../words/sign-in-provider.ts'
import { domain, email, instant, message, name, nameOrEmpty } from './shapes.ts'

const roles = ['admin', 'superadmin'] as const

const organisationRef = z.strictObject({ organization: name.optional() })

const issuer = z
  .url({ protocol: /^https?$/, error: 'must be an address such as https://accounts.google.com' })
  .max(500, 'must be at most 500 characters long')

const groups = z
  .array(z.strictObject({ group: name, role: z.enum(GROUP_ROLES) }))
  .max(50, 'must be at most 50')
  .refine((list) => new Set(list.map(({ group }) => group)).size === list.length, 'must name each group once')

export const identityProvider = {
  show: defineCall({
    method: 'GET',
    path: '/admin/identity-provider',
    roles,
    freshProof: 'none: reads only',
    summary: "Returns an organisation's identity provider settings, without the client secret.",
    query: organisationRef,
    reply: z.object({
      redirectUri: z.string(),
      provider: z
        .object({
          issuer: z.string(),
          clientId: z.string(),
          groupClaim: z.string().nullable(),
          groups: z.array(z.object({ group: z.string(), role: z.enum(GROUP_ROLES) })),
          /** True if a logout also ends the session at the provider. */
          signsOutThere: z.boolean(),
          /** Admins can sign in only if the ID token's `amr` claim contains `mfa` (RFC 8176). */
          adminsNeedSecondFactor: z.boolean(),
          /** First successful sign-in with the current settings; null if none. */
          workedAt: instant.nullable(),
        })
        .nullable(),
      domains: z.array(
        z.object({
          domain: z.string(),
          verifiedBy: z.enum(['dns', 'superadmin']).nullable(),
          record: z.string(),
        }),
      ),
    }),
  }),
  save: defineCall({
    method: 'POST',
    path: '/admin/identity-provider',
    roles,
    freshProof: 'confirm',
    summary: "Creates or changes an organisation's identity provider. Omit the client secret to keep the current one.",
    body: organisationRef.extend({
      issuer,
      clientId: name.max(500),
      clientSecret: z.string().min(1, 'must not be empty').max(2_000).optional(),
      groupClaim: nameOrEmpty.transform((text) => text || null).nullable(),
      groups,
      /** True if a logout also ends the session at the provider. */
      signsOutThere: z.boolean(),
      adminsNeedSecondFactor: z.boolean(),
    }),
    reply: message,
  }),
  remove: defineCall({
    method: 'DELETE',
    path: '/admin/identity-provider',
    roles,
    freshProof: 'confirm',
    summary:
      'Removes the identity provider, so that users sign in with passwords. 409 while passwords are not allowed.',
    body: organisationRef,
    reply: message,
  }),
  test: defineCall({
    method: 'POST',
    path: '/admin/identity-provider/test',
    roles,
    freshProof: 'none: opens no session and changes no setting',
    summary: "Fetches the provider's metadata and keys, and starts a test sign-in that does not open a session.",
    body: organisationRef,
    reply: z.object({
      found: z.array(z.string()),
      problem: z.string().nullable(),
      address: z.string().nullable(),
    }),
  }),
  addDomain: defineCall({
    method: 'POST',
    path: '/admin/identity-provider/domains',
    roles,
    freshProof: 'confirm',
    summary: 'Adds a domain to the organisation. It takes effect once it is verified.',
    body: organisationRef.extend({ domain }),
    reply: message,
  }),
  verifyDomain: defineCall({
    method: 'POST',
    path: '/admin/identity-provider/domains/verify',
    roles,
    freshProof: 'confirm',
    summary: 'Verifies a domain by its DNS TXT record. 409 if it belongs to another organisation.',
    body: organisationRef.extend({ domain }),
    reply: message,
  }),
  confirmDomain: defineCall({
    method: 'POST',
    path: '/admin/identity-provider/domains/confirm',
    roles: ['superadmin'],
    freshProof: 'confirm',
    summary: 'Marks a domain as verified without a DNS check.',
    body: z.strictObject({ organization: name, domain }),
    reply: message,
  }),
  removeDomain: defineCall({
    method: 'DELETE',
    path: '/admin/identity-provider/domains',
    roles,
    freshProof: 'confirm',
    summary: 'Removes a domain. Its users can no longer sign in through the identity provider.',
    body: organisationRef.extend({ domain }),
    reply: message,
  }),
}

/** See docs/decisions/094. */
export const providerSignIn = {
  start: defineCall({
    method: 'POST',
    path: '/sign-in/start',
    roles: 'anyone',
    freshProof: 'none: no session to confirm',
    summary:
      "Starts a sign-in at the identity provider of the e-mail's domain. It is bound to this browser and valid for ten minutes.",
    body: z.strictObject({ email }),
    reply: z.object({ address: z.string() }),
  }),
  finish: defineCall({
    method: 'POST',
    path: '/sign-in/finish',
    roles: 'anyone',
    freshProof: 'none: no session to confirm',
    summary:
      "Completes a sign-in with the provider's redirect and opens a session. A test of the settings does not open one.",
    body: z.strictObject({
      answer: z.string().min(1, 'must not be empty').max(8_000, 'must be at most 8000 characters long'),
    }),
    reply: z.discriminatedUnion('outcome', [
      z.object({
        outcome: z.literal('entered'),
        email: z.string(),
        organization: z.string().nullable(),
        uid: z.string(),
        session: z.enum(ROLES),
        message: z.string(),
        signOutAddress: z.string().nullable(),
      }),
      /** The owner of an admin's account must confirm the link to the user at the provider first. */
      z.object({ outcome: z.literal('unconfirmed'), message: z.string() }),
      z.object({
        outcome: z.literal('tested'),
        message: z.string(),
        /** False if users could not sign in with these settings. The last sentence of `found` states why. */
        works: z.boolean(),
        found: z.array(z.string()),
      }),
    ]),
  }),
}
