import { z } from 'zod'
import { call } from '@trainyard/platform/contract/call.ts'

export const expiringCredentials = {
  expiring: call({
    route: 'GET /admin/expiring',
    for: ['superadmin'],
    does: 'Lists the secrets and certificates with which the portal signs in to providers and that expire within 30 days.',
    reply: z.object({
      credentials: z.array(
        z.object({
          name: z.string(),
          /** Day in UTC. */
          endsOn: z.string(),
          /** Whole days until the end, negative after it. */
          days: z.int(),
        }),
      ),
    }),
  }),
}

type ExpiringCredentials = typeof expiringCredentials

declare module '@trainyard/platform/contract/contract.ts' {
  interface HomeCalls extends ExpiringCredentials {}
}
