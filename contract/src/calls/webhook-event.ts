import { z } from 'zod'
import { common } from './published.ts'

/** Data of the event that a user sends to try an endpoint. */
export const testEvent = z.strictObject({ ...common, message: z.string() })
