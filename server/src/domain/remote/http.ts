import { REMOTE_TICKET_SECONDS } from '@trainyard/contract/words/remote.ts'
import { signedOut } from '../../core/errors.ts'
import type { HandlersOf } from '../../core/handler.ts'
import { openingsByPlace } from '../operation/openings.ts'
import { machineToOpen } from './scope.ts'
import { issueTicket } from './ticket.ts'
import { noteUsable } from './usable.ts'

/** @param page address of the lab remote-access page, without a fragment: ours, or another gateway's */
export const remoteHandlers = ({ page }: { readonly page: string }): HandlersOf<'remote'> => ({
  async ticket(tx, { actor, sessionHash, body }) {
    if (sessionHash === null) throw signedOut()
    const machine = await machineToOpen(tx, actor, body.vmName)
    const password = await issueTicket(tx, { actor, sessionHash }, machine)
    const username = machine.name
    // In the fragment: it reaches no server, no log and no Referer.
    const url = `${page}#/?${new URLSearchParams({ username, password }).toString()}`
    return { url, username, password, expiresIn: REMOTE_TICKET_SECONDS }
  },

  async usable(tx, { actor, sessionHash, body }) {
    if (sessionHash === null) throw signedOut()
    await noteUsable(tx, { actor, sessionHash }, body)
    return { message: 'Kept.' }
  },

  openings: async (db) => ({ measured: await openingsByPlace(db) }),
})
