import type { Generated } from 'kysely'
import type { ImageId, MachineId, OrganisationId } from '@trainyard/contract/words/ids.ts'
import type { DefaultId } from './columns.ts'

export interface ImageTable {
  id: DefaultId<ImageId>
  organisation_id: OrganisationId
  machine_id: MachineId
  asked_by: string
  created_at: Generated<Date>
  image_id: string | null
  ready_at: Date | null
  failed: string | null
  progress: Generated<number>
  last_error: string | null
}
