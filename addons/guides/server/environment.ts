import { settings } from '@trainyard/platform/server/config/config.ts'
import { text } from '@trainyard/platform/server/config/environment.ts'

declare module '@trainyard/platform/server/config/config.ts' {
  interface Config {
    readonly guides: {
      /** Origins of Git servers in the private network. */
      readonly privateOrigins: readonly string[]
    }
  }
}

const variables = {
  GUIDE_GIT_PRIVATE_ORIGINS: text
    .regex(
      /^https?:\/\/[a-z0-9.:[\]-]+(,https?:\/\/[a-z0-9.:[\]-]+)*$/,
      'must be origins like https://git.example.com, separated by commas',
    )
    .optional()
    .describe(
      'Origins of Git servers with lab guides that may have private addresses or no TLS, separated by commas. All others need public addresses and https.',
    ),
}

export const guides = settings({
  variables,
  read: ({ GUIDE_GIT_PRIVATE_ORIGINS: origins }) => ({
    config: { guides: { privateOrigins: origins?.split(',') ?? [] } },
  }),
})
