import type { Part } from '@trainyard/platform/emulator/part.ts'
import { mountWebhooks } from './mount.ts'

export const webhookPart: Part = { name: 'webhooks', mount: mountWebhooks }
