import { z } from 'zod'
import { call } from '@trainyard/platform/contract/call.ts'
import { isPrivatePrefix, NETWORK_ROUTES, RANGES_MAX } from '@trainyard/platform/contract/words/network.ts'
import { instant, name, newName } from '@trainyard/platform/contract/shapes.ts'

const roles = ['superadmin'] as const

const ranges = z
  .array(
    z
      .string()
      .max(18)
      .refine(isPrivatePrefix, {
        error: ({ input }) =>
          `The range ${String(input)} is not a private address range such as 10.20.0.0/16, which starts on its boundary.`,
      }),
  )
  .min(1, 'Enter at least one address range, such as 10.20.0.0/16.')
  .max(RANGES_MAX, `must contain at most ${RANGES_MAX} address ranges`)

const networkRef = z.strictObject({ network: name })

/** Connection of a private network's agent. */
const agent = z.object({
  /** `never` if no agent has been enrolled. */
  state: z.enum(['connected', 'disconnected', 'never']),
  enrolledAt: instant.nullable(),
  /** Start of the current or latest connection. */
  connectedAt: instant.nullable(),
  seenAt: instant.nullable(),
  version: z.string().nullable(),
  address: z.string().nullable(),
  /** Address ranges that the agent's own settings allow. Null if the ranges of the network apply. */
  ownRanges: z.array(z.string()).nullable(),
  /**
   * Two agent processes that use the identity of this gateway and replace each other; null if none were seen since its
   * enrolment.
   */
  duplicate: z.object({ seenAt: instant, addresses: z.array(z.string()) }).nullable(),
  /** Expiry of the issued token with which an agent can be enrolled. */
  tokenExpiresAt: instant.nullable(),
})

const networkSchema = z.object({
  name: z.string(),
  route: z.enum(NETWORK_ROUTES),
  ranges: z.array(z.string()),
  /** Number of templates and live machines in this network. */
  templates: z.int(),
  machines: z.int(),
  /** Null if the network is peered. */
  agent: agent.nullable(),
})
export type Network = z.output<typeof networkSchema>

export const network = {
  list: call({
    route: 'GET /admin/networks',
    for: roles,
    does: 'Lists the private networks with the state of their gateways, sorted by name.',
    reply: z.object({ networks: z.array(networkSchema) }),
  }),
  create: call({
    route: 'POST /admin/networks',
    for: roles,
    proof: 'fresh',
    does: 'Creates a private network, in which machines without public addresses are reached.',
    audit: 'created a private network',
    body: z.strictObject({ name: newName, route: z.enum(NETWORK_ROUTES), ranges }),
    once: true,
  }),
  change: call({
    route: 'PATCH /admin/networks',
    for: roles,
    proof: 'fresh',
    does: 'Changes the address ranges of a private network. Connections to other addresses are refused from then on.',
    audit: 'changed a private network’s address ranges',
    body: networkRef.extend({ ranges }),
  }),
  remove: call({
    route: 'DELETE /admin/networks',
    for: roles,
    proof: 'fresh',
    does: 'Deletes a private network and its gateway. 409 while a template or a machine uses it.',
    audit: 'deleted a private network',
    body: networkRef,
  }),
  issueToken: call({
    route: 'POST /admin/networks/token',
    for: roles,
    proof: 'fresh',
    does: 'Issues a token that enrols an agent once, shown only in this reply. The current agent stays connected until the new one is enrolled. Earlier tokens become invalid.',
    audit: 'issued a token for a gateway',
    body: networkRef,
    reply: z.object({ message: z.string(), token: z.string(), expiresAt: instant }),
  }),
  revoke: call({
    route: 'DELETE /admin/networks/agent',
    for: roles,
    proof: 'fresh',
    does: "Revokes a network's agent and its unused token. Its connections end within seconds.",
    audit: 'revoked a gateway',
    body: networkRef,
  }),
}

/** Texts that follow the portal's name in the audit log: actions that are no calls. */
export const gatewayActions = {
  'gateway.enrol': 'enrolled a gateway',
  'gateway.connect': 'connected a gateway',
  'gateway.duplicate': 'connected a second gateway with the identity of the first',
} as const

declare module '@trainyard/platform/contract/contract.ts' {
  interface Contract {
    network: typeof network
  }
}
