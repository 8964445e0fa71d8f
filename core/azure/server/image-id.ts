import { sql } from 'kysely'
import { answerSql, type AnswerTo } from '@trainyard/platform/server/core/events.ts'
import { hasImagePassword, sharedImageId, systemOfImage } from '@trainyard/templates/server/image.ts'

/** `publisher:offer:sku:version` names its system. The ID of a resource does not. */
const systemOf: AnswerTo<typeof systemOfImage> = ({ provider, id }) =>
  sql`case when ${provider} = 'azure' and split_part(${id}, ':', 3) <> ''
    then split_part(${id}, ':', 2) || ' ' || split_part(${id}, ':', 3) end`

/** Images of a gallery are specialized: the accounts of their source are in them. */
const isFromGallery: AnswerTo<typeof hasImagePassword> = ({ provider, id }) =>
  sql`(${provider} = 'azure' and ${id} ilike '%/galleries/%')`

/** Azure ignores case in IDs, and the ID of an image definition refers to its only version. */
const definitionId: AnswerTo<typeof sharedImageId> = ({ provider, id }) =>
  sql`case when ${provider} = 'azure' then regexp_replace(lower(${id}), '/versions/[^/]*$', '') end`

/** SQL expressions that answer what the core asks about an image ID of Azure. */
export const IMAGE_ANSWERS = [
  answerSql(systemOfImage, systemOf),
  answerSql(hasImagePassword, isFromGallery),
  answerSql(sharedImageId, definitionId),
]
