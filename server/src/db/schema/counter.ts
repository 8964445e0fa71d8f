import type { TrainingId } from '@trainyard/contract/words/ids.ts'
import type { ReadOnly } from './columns.ts'

type Counted = 'users' | 'live' | 'failing' | 'used up'

export interface CounterTable {
  name: ReadOnly<Counted>
  training_id: ReadOnly<TrainingId | null>
  count: ReadOnly<number>
}

export interface CounterChangeTable {
  id: ReadOnly<number>
  name: ReadOnly<Counted>
  training_id: ReadOnly<TrainingId | null>
  change: ReadOnly<number>
}
