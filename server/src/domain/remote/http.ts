import { REMOTE_TICKET_SECONDS } from '@trainyard/contract/words/remote.ts'
import { WATCHING } from '@trainyard/contract/words/watching.ts'
import { conflict, signedOut } from '../../core/errors.ts'
import type { HandlersOf } from '../../core/handler.ts'
import { openingsByPlace } from '../operation/openings.ts'
import { machineToOpen } from './scope.ts'
import { issueTicket } from './ticket.ts'
import { noteUsable } from './usable.ts'
import { ownTerminal } from './watched.ts'

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

  async watch(tx, { actor, sessionHash, body }) {
    if (sessionHash === null) throw signedOut()
    const machine = await machineToOpen(tx, actor, body.vmName)
    if ((await ownTerminal(tx, machine.id)) === null) throw conflict(WATCHING.notConnected(machine.email))
    const password = await issueTicket(tx, { actor, sessionHash }, machine, { toWatch: true })
    // Terminals that are watched are those of our own page, also where another gateway has one.
    const url = `/remote/#/?${new URLSearchParams({ watch: machine.name, password }).toString()}`
    return { url, username: machine.name, password, expiresIn: REMOTE_TICKET_SECONDS }
  },
})
