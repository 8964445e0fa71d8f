import { z } from 'zod'
import { common } from '@trainyard/platform/contract/published.ts'

/** Data of the event that a user sends to try an endpoint. */
export const testEvent = z.strictObject({ ...common, message: z.string() })
