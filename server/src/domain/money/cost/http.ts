import { COST_PART_BYTES } from '@trainyard/contract/words/cost.ts'
import type { CostImportId } from '@trainyard/contract/words/ids.ts'
import type { HandlersOf } from '../../../core/handler.ts'
import { adopt, release } from './adopt.ts'
import { beginImport, importsOf, removeImport, takePart } from './files.ts'
import { monthOfCosts } from './month.ts'
import { askDeletion } from './orphan.ts'
import { orphansOf, unclaimedOf } from './unclaimed.ts'

export const costHandlers: HandlersOf<'cost'> = {
  imports: async (db) => ({ imports: await importsOf(db) }),

  async begin(tx, { actor, body }) {
    const _id = await beginImport(tx, actor, body)
    return { _id, partBytes: COST_PART_BYTES, message: 'Send the parts of its files now.' }
  },

  async send(tx, { body }) {
    const missing = await takePart(tx, body)
    return { missing, message: missing === 0 ? 'All has come: the import begins.' : `${missing} parts are to come.` }
  },

  async remove(tx, { body }) {
    await removeImport(tx, body._id as CostImportId)
    return { message: 'The import is taken back: nothing of it counts any more.' }
  },

  month: (db, { query }) => monthOfCosts(db, query.month),
  unclaimed: (db, { query }) => unclaimedOf(db, query.month),
  orphans: (db) => orphansOf(db),

  adopt: async (tx, { actor, body }) => ({ message: await adopt(tx, actor, body) }),

  async release(tx, { body }) {
    await release(tx, body)
    return { message: 'Nobody claims it any more.' }
  },

  async deleteOrphan(tx, { actor, body }) {
    await askDeletion(tx, actor, body)
    return { message: `${body.name} is being deleted at the provider.` }
  },
}
