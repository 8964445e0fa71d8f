import { z } from 'zod'
import { instant } from './shapes.ts'

/**
 * Fields of every event's data. Events of one resource are sent in the order of `sequence`. Failed events are sent
 * again, so a receiver can get an older event after a newer one. It then ignores the event with the lower `sequence`.
 */
export const common = {
  /** Version of the data's shape. New fields may be added within a version. */
  version: z.literal(1),
  sequence: z.int(),
}

export const reference = z.strictObject({ id: z.uuid(), name: z.string() })

/** An event that other systems can subscribe to. */
export interface PublishedEvent<Data extends z.ZodType = z.ZodType> {
  /** Text that users read when they choose events. */
  readonly does: string
  readonly data: Data
}

export const published = <Data extends z.ZodType>(does: string, data: Data): PublishedEvent<Data> => ({ does, data })

/** Body of a delivery. `timestamp` is the time of the event, which is the same in every attempt. */
export const publishedBody = (type: string, data: z.ZodType) =>
  z.strictObject({ type: z.literal(type), timestamp: instant, data })
