import type { ReplyOf } from '@trainyard/contract/call.ts'
import type { machine } from '@trainyard/contract/calls/machine.ts'
import type { TrainingId } from '@trainyard/contract/words/ids.ts'
import type { Db } from '../../../db/schema.ts'

export async function lastOrderOf(
  db: Db,
  training: TrainingId,
): Promise<ReplyOf<typeof machine.lastOrder>['lastOrder']> {
  const row = await db
    .selectFrom('machine_order as o')
    .innerJoin('machine as m', 'm.order_id', 'o.id')
    .select(['o.template_name', 'm.allotted_minutes', 'm.guacamole'])
    .where('o.training_id', '=', training)
    .orderBy('o.created_at', 'desc')
    .orderBy('m.number')
    .limit(1)
    .executeTakeFirst()
  if (row === undefined) return null
  return { templateName: row.template_name, allocatedHours: row.allotted_minutes, guacamole: row.guacamole }
}
