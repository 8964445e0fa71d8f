import { text, isRange } from '@trainyard/platform/server/config/environment.ts'
import { settings } from '@trainyard/platform/server/config/config.ts'

declare module '@trainyard/platform/server/config/config.ts' {
  interface Config {
    readonly webhooks: {
      /** Address of the emulator's webhook receiver, which is called without TLS; null: none. */
      readonly emulator: string | null
      readonly privateRanges: readonly string[]
    }
  }
}

const variables = {
  WEBHOOK_PRIVATE_RANGES: text
    .refine(
      (value) => value.split(',').every(isRange),
      'must be addresses or address ranges like 10.20.0.0/16, separated by commas',
    )
    .optional()
    .describe(
      'Private networks whose addresses may receive webhooks, also without TLS, separated by commas. All other receivers need public addresses and https.',
    ),
}

export const webhooks = settings({
  variables,
  read: ({ WEBHOOK_PRIVATE_RANGES: ranges }, { trustedEmulator }) => ({
    config: {
      webhooks: {
        emulator: trustedEmulator === null ? null : `${trustedEmulator}/webhooks/`,
        privateRanges: ranges?.split(',') ?? [],
      },
    },
  }),
})
