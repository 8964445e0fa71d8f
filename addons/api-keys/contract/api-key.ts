import { z } from 'zod'
import { call } from '@trainyard/platform/contract/call.ts'
import { ROLES } from '@trainyard/platform/contract/words/role.ts'
import { KEY_DAYS_MAX, KEY_NETWORKS_MAX, SCOPE_NAMES } from '@trainyard/platform/contract/scope.ts'
import { instant, enteredName } from '@trainyard/platform/contract/shapes.ts'

const KEY_USERS = ['user', 'admin', 'superadmin'] as const

const scopes = z
  .array(z.enum(SCOPE_NAMES))
  .min(1, 'Select at least one scope.')
  .max(SCOPE_NAMES.length)
  .refine((given) => new Set(given).size === given.length, 'must name each scope once')

/** An address or a network in CIDR notation. */
const network = z.union(
  [z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()],
  'must be an address or a network in CIDR notation',
)

export const apiKey = {
  list: call({
    route: 'GET /user/keys',
    for: KEY_USERS,
    does: "Lists the caller's API keys and, for an admin, those of all users of the organisation, newest first.",
    reply: z.object({
      keys: z.array(
        z.object({
          id: z.uuid(),
          name: z.string(),
          kind: z.enum(['personal', 'service']),
          /** First characters of the key. The key itself is not stored. */
          prefix: z.string(),
          scopes: z.array(z.string()),
          networks: z.array(z.string()),
          /** E-mail of the user who created the key. The key has at most the rights of this user. */
          maker: z.string(),
          created: instant,
          expires: instant,
          /** Last use, accurate to the minute. */
          used: z.object({ at: instant, address: z.string() }).nullable(),
          state: z.enum(['active', 'expired']),
        }),
      ),
    }),
  }),
  read: call({
    route: 'GET /user/key',
    for: KEY_USERS,
    public: { scope: null, operation: 'getKey' },
    does: 'Returns the API key of the request: its scopes, its expiry, and the user for whom it acts.',
    reply: z.object({
      name: z.string().meta({ examples: ['Command line'] }),
      kind: z.enum(['personal', 'service']),
      scopes: z.array(z.string()).meta({ examples: [['machine:read', 'machine:power']] }),
      expires: instant.meta({ examples: ['2027-02-23T09:30:00Z'] }),
      email: z.string().meta({ examples: ['admin@example.com'] }),
      userType: z.enum(ROLES).meta({ examples: ['admin'] }),
      /** Organisation of the user; null for a superadmin. */
      organization: z
        .string()
        .nullable()
        .meta({ examples: ['Acme Learning'] }),
      timeZone: z
        .string()
        .nullable()
        .meta({ examples: ['Asia/Kolkata'] }),
    }),
  }),
  create: call({
    route: 'POST /user/keys',
    for: KEY_USERS,
    proof: 'fresh',
    does: 'Creates an API key and returns it. The key cannot be read again. A service key belongs to the organisation: its admins see and revoke it. Only admins create service keys.',
    audit: 'created an API key',
    body: z.strictObject({
      name: enteredName,
      kind: z.enum(['personal', 'service']),
      scopes,
      days: z.int().min(1, 'must be at least 1').max(KEY_DAYS_MAX, `must be at most ${KEY_DAYS_MAX}`),
      networks: z.array(network).max(KEY_NETWORKS_MAX, `must be at most ${KEY_NETWORKS_MAX} networks`),
    }),
    reply: z.object({ id: z.uuid(), key: z.string(), expires: instant, message: z.string() }),
  }),
  revoke: call({
    route: 'DELETE /user/keys',
    for: KEY_USERS,
    does: 'Revokes an API key of the caller or, for an admin, any API key of the organisation. It takes effect immediately.',
    audit: 'revoked an API key',
    body: z.strictObject({ id: z.uuid('must be the id of an API key') }),
  }),
}

declare module '@trainyard/platform/contract/contract.ts' {
  interface Contract {
    apiKey: typeof apiKey
  }
}
