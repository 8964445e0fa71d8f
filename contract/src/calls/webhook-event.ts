import { z } from 'zod'
import { TEST_EVENT, type WebhookEventType } from '../words/webhook.ts'
import { instant } from './shapes.ts'

/**
 * Fields of every event's data. Events of one resource are sent in the order of `sequence`. Failed events are sent
 * again, so a receiver can get an older event after a newer one. It then ignores the event with the lower `sequence`.
 */
const common = {
  /** Version of the data's shape. New fields may be added within a version. */
  version: z.literal(1),
  sequence: z.int(),
}

const reference = z.strictObject({ id: z.uuid(), name: z.string() })

const machineData = {
  ...common,
  machine: reference,
  training: reference,
  /** E-mail address of the learner. */
  learner: z.string(),
}

const orderData = {
  ...common,
  order: z.strictObject({ id: z.uuid() }),
  training: reference,
  template: z.string(),
  machines: z.int(),
}

const trainingData = z.strictObject({ ...common, training: reference })

const thresholdData = {
  ...common,
  /** The training to which the budget or quota belongs. Null for the organisation's monthly budget. */
  training: reference.nullable(),
  percent: z.int(),
}

const entryData = z.strictObject({
  ...common,
  /** Number of the invoice, credit note, payment or refund. */
  number: z.string(),
  /** In paise. Negative for a correction. */
  amountPaise: z.int(),
  date: z.iso.date(),
  /** Number of the document or payment to which the entry refers, or null if there is none. */
  refersTo: z.string().nullable(),
})

const handData = {
  ...common,
  training: reference,
  /** E-mail address of the learner. */
  learner: z.string(),
}

const linkData = {
  ...common,
  /** The registration link. */
  link: reference,
  training: reference,
}

const registrationData = {
  ...linkData,
  /** E-mail address of the learner. */
  learner: z.string(),
}

/** @property decidedBy e-mail address of the user who approved or declined the registration */
const decisionData = z.strictObject({ ...registrationData, decidedBy: z.string() })

/** Shape of each event's `data`. */
export const webhookEventData = {
  'machine.created': z.strictObject(machineData),
  'machine.started': z.strictObject(machineData),
  'machine.stopped': z.strictObject(machineData),
  'machine.failed': z.strictObject({ ...machineData, reason: z.string() }),
  'machine.assigned': z.strictObject({ ...machineData, formerLearner: z.string() }),
  'machine.deleted': z.strictObject(machineData),
  'order.created': z.strictObject({ ...orderData, orderedBy: z.string() }),
  'order.ready': z.strictObject(orderData),
  'training.created': trainingData,
  'training.removed': trainingData,
  'training.restored': trainingData,
  'budget.reached': z.strictObject({ ...thresholdData, usedPaise: z.int(), budgetPaise: z.int() }),
  'budget.cap_reached': z.strictObject({ ...common, training: reference.nullable(), budgetPaise: z.int() }),
  'quota.reached': z.strictObject({ ...thresholdData, usedMinutes: z.int(), allottedMinutes: z.int() }),
  'invoice.issued': entryData,
  'invoice.credited': entryData,
  'invoice.reversed': entryData,
  'payment.received': entryData,
  'payment.refunded': entryData,
  'payment.reversed': entryData,
  'hand.raised': z.strictObject({ ...handData, reason: z.enum(['stuck', 'question', 'slow']).nullable() }),
  'hand.lowered': z.strictObject(handData),
  'registration.requested': z.strictObject(registrationData),
  'registration.waiting': z.strictObject(registrationData),
  'registration.approved': decisionData,
  'registration.declined': decisionData,
  'registration.seated': z.strictObject(registrationData),
  'registration.link_full': z.strictObject({ ...linkData, seats: z.int() }),
  [TEST_EVENT]: z.strictObject({ ...common, message: z.string() }),
} as const satisfies Record<WebhookEventType | typeof TEST_EVENT, z.ZodType>
export type WebhookEventData = { [Type in keyof typeof webhookEventData]: z.output<(typeof webhookEventData)[Type]> }

/** Body of a delivery. `timestamp` is the time of the event, which is the same in every attempt. */
export const webhookBody = <Type extends keyof typeof webhookEventData>(type: Type) =>
  z.strictObject({ type: z.literal(type), timestamp: instant, data: webhookEventData[type] })
