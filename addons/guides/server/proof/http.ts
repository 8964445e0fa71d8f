import type { HandlersOf } from '@trainyard/platform/server/core/handler.ts'
import { organisationInScope } from '@trainyard/organisations/server/scope.ts'
import { PROOF } from '../../contract/proof-words.ts'
import { versionOf } from '../store.ts'
import { proofsOf, startProof } from './store.ts'

export const proofHandlers: HandlersOf<'proof'> = {
  async list(db, { actor, query }) {
    const { id } = await organisationInScope(db, actor, query.organization)
    return proofsOf(db, id, query.guide)
  },

  async start(tx, { actor, body }) {
    const { id: organisation } = await organisationInScope(tx, actor, body.organization)
    const version = await versionOf(tx, organisation, body)
    const id = await startProof(tx, version, body.templateName, actor.email)
    return { message: PROOF.started(version.title, version.number, body.templateName), id }
  },
}
