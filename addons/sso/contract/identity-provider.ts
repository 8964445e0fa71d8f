import * as limits from '@trainyard/platform/contract/limits.ts'
import { z } from 'zod'
import { call } from '@trainyard/platform/contract/call.ts'
import { ROLES } from '@trainyard/platform/contract/words/role.ts'
import { GROUP_ROLES } from './sign-in-provider.ts'
import { domain, email, instant, name, nameOrEmpty } from '@trainyard/platform/contract/shapes.ts'

const roles = ['admin', 'superadmin'] as const

const organisationRef = z.strictObject({ organization: name.optional() })

const issuer = z
  .url({ protocol: /^https?$/, error: 'must be an address such as https://accounts.google.com' })
  .max(500, 'must be at most 500 characters long')

const groups = z
  .array(z.strictObject({ group: name, role: z.enum(GROUP_ROLES, 'must be one of user, admin') }))
  .max(50, 'must be at most 50')
  .refine((list) => new Set(list.map(({ group }) => group)).size === list.length, 'must name each group once')

export const identityProvider = {
  show: call({
    route: 'GET /admin/identity-provider',
    for: roles,
    does: "Returns an organisation's identity provider settings, without the client secret.",
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
  save: call({
    route: 'POST /admin/identity-provider',
    for: roles,
    proof: 'fresh',
    does: "Creates or changes an organisation's identity provider. Omit the client secret to keep the current one.",
    audit: 'saved an organisation’s identity provider',
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
  }),
  remove: call({
    route: 'DELETE /admin/identity-provider',
    for: roles,
    proof: 'fresh',
    does: 'Removes the identity provider, so that users sign in with passwords. 409 while passwords are not allowed.',
    audit: 'removed an organisation’s identity provider',
    body: organisationRef,
  }),
  test: call({
    route: 'POST /admin/identity-provider/test',
    for: roles,
    does: "Fetches the provider's metadata and keys, and starts a test sign-in that does not open a session.",
    audit: 'tested an organisation’s identity provider',
    body: organisationRef,
    reply: z.object({
      found: z.array(z.string()),
      problem: z.string().nullable(),
      address: z.string().nullable(),
    }),
  }),
  addDomain: call({
    route: 'POST /admin/identity-provider/domains',
    for: roles,
    proof: 'fresh',
    does: 'Adds a domain to the organisation. It takes effect once it is verified.',
    audit: 'added a domain',
    body: organisationRef.extend({ domain }),
  }),
  verifyDomain: call({
    route: 'POST /admin/identity-provider/domains/verify',
    for: roles,
    proof: 'fresh',
    does: 'Verifies a domain by its DNS TXT record. 409 if it belongs to another organisation.',
    audit: 'verified a domain by DNS',
    body: organisationRef.extend({ domain }),
  }),
  confirmDomain: call({
    route: 'POST /admin/identity-provider/domains/confirm',
    for: ['superadmin'],
    proof: 'fresh',
    does: 'Marks a domain as verified without a DNS check.',
    audit: 'verified a domain without DNS',
    body: z.strictObject({ organization: name, domain }),
  }),
  removeDomain: call({
    route: 'DELETE /admin/identity-provider/domains',
    for: roles,
    proof: 'fresh',
    does: 'Removes a domain. Its users can no longer sign in through the identity provider.',
    audit: 'removed a domain',
    body: organisationRef.extend({ domain }),
  }),
}

/** Calls of the sign-in with a provider. */
export const providerSignIn = {
  start: call({
    route: 'POST /sign-in/start',
    for: 'anyone',
    does: "Starts a sign-in at the identity provider of the e-mail's domain. It is bound to this browser and valid for ten minutes.",
    audit: 'opened their organisation’s sign-in page',
    limit: limits.guesses,
    size: { bytes: 8_192, values: 1_000 },
    urgency: 'sign-in',
    body: z.strictObject({ email }),
    reply: z.object({ address: z.string() }),
  }),
  finish: call({
    route: 'POST /sign-in/finish',
    for: 'anyone',
    does: "Completes a sign-in with the provider's redirect and opens a session. A test of the settings does not open one.",
    audit: 'signed in with their organisation’s sign-in',
    limit: limits.guesses,
    size: { bytes: 8_192, values: 1_000 },
    urgency: 'sign-in',
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
      /** An admin must confirm the link to the user at the provider first. */
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

declare module '@trainyard/platform/contract/contract.ts' {
  interface Contract {
    identityProvider: typeof identityProvider
    providerSignIn: typeof providerSignIn
  }
}
