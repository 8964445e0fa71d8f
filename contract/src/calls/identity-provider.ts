import { z } from 'zod'
import { defineCall } from '../call.ts'
import { ROLES } from '../words/role.ts'
import { GROUP_ROLES } from '../words/sign-in-provider.ts'
import { email, instant, message, name, nameOrNothing } from './shapes.ts'

const roles = ['admin', 'superadmin'] as const

/** `organization` is the superadmin's way to say whose. */
const ofOrganisation = z.strictObject({ organization: name.optional() })

const issuer = z
  .url({ protocol: /^https?$/, error: 'must be an address such as https://accounts.google.com' })
  .max(500, 'must be at most 500 characters long')

const domain = z
  .string()
  .max(253, 'must be at most 253 characters long')
  .transform((text) => text.trim().toLowerCase())
  .refine(
    (text) => /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(text),
    'must be a domain such as example.com',
  )

const groups = z
  .array(z.strictObject({ group: name, role: z.enum(GROUP_ROLES) }))
  .max(50, 'must be at most 50')
  .refine((list) => new Set(list.map(({ group }) => group)).size === list.length, 'must name each group once')

/** An organisation's own OpenID provider, and the domains that it may speak for. */
export const identityProvider = {
  show: defineCall({
    method: 'GET',
    path: '/admin/identity-provider',
    roles,
    summary: "An organisation's own sign-in as it is set up. The client secret is never told.",
    query: ofOrganisation,
    reply: z.object({
      /** The address that the provider must know as the portal's. */
      redirectUri: z.string(),
      /** null: none was set up. */
      provider: z
        .object({
          issuer: z.string(),
          clientId: z.string(),
          groupClaim: z.string().nullable(),
          groups: z.array(z.object({ group: z.string(), role: z.enum(GROUP_ROLES) })),
          signsOutThere: z.boolean(),
          /** True: admins come in only where the ID token says `mfa` in its claim `amr` (RFC 8176). */
          adminsNeedSecondFactor: z.boolean(),
          /** When somebody first signed in through it as it is now; null: nobody yet. */
          workedAt: instant.nullable(),
        })
        .nullable(),
      domains: z.array(
        z.object({
          domain: z.string(),
          /** null: it does not count yet. */
          verifiedBy: z.enum(['dns', 'superadmin']).nullable(),
          /** The text that its DNS must publish. */
          record: z.string(),
        }),
      ),
    }),
  }),
  save: defineCall({
    method: 'POST',
    path: '/admin/identity-provider',
    roles,
    summary: "Sets an organisation's provider up, or changes it. Without a client secret the one it has stays.",
    body: ofOrganisation.extend({
      issuer,
      clientId: name.max(500),
      clientSecret: z.string().min(1, 'must not be empty').max(2_000).optional(),
      groupClaim: nameOrNothing.transform((text) => text || null).nullable(),
      groups,
      signsOutThere: z.boolean(),
      adminsNeedSecondFactor: z.boolean(),
    }),
    reply: message,
  }),
  remove: defineCall({
    method: 'DELETE',
    path: '/admin/identity-provider',
    roles,
    summary: 'Takes the provider away: people sign in with passwords. 409 while these are switched off.',
    body: ofOrganisation,
    reply: message,
  }),
  test: defineCall({
    method: 'POST',
    path: '/admin/identity-provider/test',
    roles,
    summary: 'Asks the provider for its description and its keys, and begins a sign-in that opens no session.',
    body: ofOrganisation,
    reply: z.object({
      found: z.array(z.string()),
      /** The sentence that says what is wrong; null: the sign-in may be tried. */
      problem: z.string().nullable(),
      /** The address to go on to; null: there is no use in trying. */
      address: z.string().nullable(),
    }),
  }),
  addDomain: defineCall({
    method: 'POST',
    path: '/admin/identity-provider/domains',
    roles,
    summary: 'Names a domain as the organisation’s own. It counts once it is verified.',
    body: ofOrganisation.extend({ domain }),
    reply: message,
  }),
  verifyDomain: defineCall({
    method: 'POST',
    path: '/admin/identity-provider/domains/verify',
    roles,
    summary: "Looks for the organisation's text in the domain's DNS. A domain of another organisation: 409.",
    body: ofOrganisation.extend({ domain }),
    reply: message,
  }),
  confirmDomain: defineCall({
    method: 'POST',
    path: '/admin/identity-provider/domains/confirm',
    roles: ['superadmin'],
    summary: 'Verifies a domain by hand.',
    body: z.strictObject({ organization: name, domain }),
    reply: message,
  }),
  removeDomain: defineCall({
    method: 'DELETE',
    path: '/admin/identity-provider/domains',
    roles,
    summary: 'Takes a domain away: its people sign in through the provider no more.',
    body: ofOrganisation.extend({ domain }),
    reply: message,
  }),
}

/** Signing in through the organisation's own provider: two calls of one page, see docs/decisions/094. */
export const providerSignIn = {
  start: defineCall({
    method: 'POST',
    path: '/sign-in/start',
    roles: 'anyone',
    summary: "Begins a sign-in at the provider of the e-mail's domain, bound to this browser for ten minutes.",
    body: z.strictObject({ email }),
    reply: z.object({ address: z.string() }),
  }),
  finish: defineCall({
    method: 'POST',
    path: '/sign-in/finish',
    roles: 'anyone',
    summary: 'Takes what the provider sent back, once, and opens a session; a test of the settings opens none.',
    body: z.strictObject({
      /** The query with which the provider sent the browser back. */
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
        /** Where the browser goes to end the provider's session too; null: it stays there. */
        signOutAddress: z.string().nullable(),
      }),
      z.object({
        outcome: z.literal('tested'),
        message: z.string(),
        /** False: nobody would come in like this; the last sentence says why. */
        works: z.boolean(),
        found: z.array(z.string()),
      }),
    ]),
  }),
}
