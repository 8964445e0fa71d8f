import { z } from 'zod'
import { common, published, reference } from '@trainyard/platform/contract/published.ts'

const trainingData = z.strictObject({ ...common, training: reference })

export const trainingEvents = {
  'training.created': published('A training was created', trainingData),
  'training.removed': published('A training was deleted', trainingData),
  'training.restored': published('A deleted training was ordered again', trainingData),
}
