import { z } from 'zod'
import { common, published, reference } from '@trainyard/platform/contract/published.ts'

const handData = {
  ...common,
  training: reference,
  /** E-mail address of the learner. */
  learner: z.string(),
}

export const handEvents = {
  'hand.raised': published(
    'A learner raised a hand',
    z.strictObject({ ...handData, reason: z.enum(['stuck', 'question', 'slow']).nullable() }),
  ),
  'hand.lowered': published('A raised hand was lowered', z.strictObject(handData)),
}
