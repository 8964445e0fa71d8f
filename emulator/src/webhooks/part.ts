import type { Part } from '#src/part.ts'
import { mountWebhooks } from '#src/webhooks/mount.ts'

export const webhookPart: Part = { name: 'webhooks', mount: mountWebhooks }
