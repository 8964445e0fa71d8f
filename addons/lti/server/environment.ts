import { text } from '@trainyard/platform/server/config/environment.ts'
import { settings } from '@trainyard/platform/server/config/config.ts'

declare module '@trainyard/platform/server/config/config.ts' {
  interface Config {
    readonly lms: {
      /** Origin of the emulator, the only LMS that may be called without TLS; null: none. */
      readonly emulator: string | null
      readonly privateHosts: readonly string[]
      /** Origins of LMSs in the private network. */
      readonly privateOrigins: readonly string[]
    }
  }
}

const variables = {
  LMS_PRIVATE_ORIGINS: text
    .regex(
      /^https?:\/\/[a-z0-9.:[\]-]+(,https?:\/\/[a-z0-9.:[\]-]+)*$/,
      'must be origins like https://lms.example.com, separated by commas',
    )
    .optional()
    .describe(
      'Origins of LMSs that may have private addresses or no TLS, separated by commas. All others need public addresses and https.',
    ),
}

export const lms = settings({
  variables,
  read: ({ LMS_PRIVATE_ORIGINS: origins }, { trustedEmulator: emulator }) => ({
    config: { lms: { emulator, privateHosts: [], privateOrigins: origins?.split(',') ?? [] } },
  }),
})
