import { z } from 'zod'
import { common, published, reference } from '@trainyard/platform/contract/published.ts'
import { FAULTS } from './proof-words.ts'

const guideData = {
  ...common,
  /** The guide's own id, from guide.yaml. */
  guide: z.string(),
  number: z.int(),
}

const proofData = {
  ...guideData,
  proof: z.strictObject({ id: z.uuid() }),
  template: z.string(),
  image: z.string(),
}

const runData = {
  ...guideData,
  training: reference,
  machine: reference,
  /** E-mail address of the learner. */
  learner: z.string(),
  points: z.int(),
}

export const guideEvents = {
  'guide.published': published('A version of a lab guide was published', z.strictObject(guideData)),
  'guide.proven': published('A proof of a lab guide found no fault', z.strictObject(proofData)),
  'guide.faulty': published(
    'A proof of a lab guide found faults',
    z.strictObject({ ...proofData, faults: z.array(z.enum(FAULTS)) }),
  ),
  'task.completed': published(
    'A learner completed a task of a lab guide',
    z.strictObject({ ...runData, task: z.string() }),
  ),
  'guide.completed': published('A learner completed all tasks of a lab guide', z.strictObject(runData)),
}
