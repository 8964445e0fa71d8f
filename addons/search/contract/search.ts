import * as limits from '@trainyard/platform/contract/limits.ts'
import { z } from 'zod'
import { call } from '@trainyard/platform/contract/call.ts'

export const search = {
  find: call({
    route: 'GET /user/search',
    for: ['user', 'admin', 'superadmin'],
    does: "Searches organisations, trainings and live machines in the caller's scope. Organisation and training names match anywhere; machine names, e-mails, names of people and numbers of documents from the start.",
    limit: limits.searches,
    query: z.strictObject({ text: z.string().trim().min(1, 'must not be empty').max(100) }),
    reply: z.object({
      organizations: z.array(z.string()),
      trainings: z.array(z.object({ organization: z.string(), training: z.string() })),
      machines: z.array(
        z.object({ organization: z.string(), training: z.string(), machine: z.string(), email: z.string() }),
      ),
      /** Pages for admins and superadmins, such as the document with a number. */
      pages: z.array(
        z.object({
          group: z.string(),
          label: z.string(),
          hint: z.string(),
          path: z.string(),
          search: z.record(z.string(), z.string()),
        }),
      ),
    }),
  }),
}

declare module '@trainyard/platform/contract/contract.ts' {
  interface Contract {
    search: typeof search
  }
}
