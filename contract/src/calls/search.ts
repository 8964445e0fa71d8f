import { z } from 'zod'
import { defineCall } from '../call.ts'

export const search = {
  find: defineCall({
    method: 'GET',
    path: '/user/search',
    roles: ['user', 'admin', 'superadmin'],
    freshProof: 'none: reads only',
    summary:
      "Searches organisations, trainings and live machines in the caller's scope. Organisation and training names match anywhere, machine names and e-mails from the start.",
    query: z.strictObject({ text: z.string().trim().min(1, 'must not be empty').max(100) }),
    reply: z.object({
      organizations: z.array(z.string()),
      trainings: z.array(z.object({ organization: z.string(), training: z.string() })),
      machines: z.array(
        z.object({ organization: z.string(), training: z.string(), machine: z.string(), email: z.string() }),
      ),
    }),
  }),
}
