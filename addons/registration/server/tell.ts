import type { registrationEvents } from '../contract/registration-event.ts'
import type { RegistrationLinkId, UserId } from '@trainyard/platform/contract/words/ids.ts'
import type { RegistrationState } from '../contract/registration-words.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import { type PublicationOf, publish } from '@trainyard/users/server/notices.ts'
import { selectIfFull, selectRegistered } from './queries.ts'

const STATES = {
  pending: 'registration.requested',
  waiting: 'registration.waiting',
  declined: 'registration.declined',
  seated: 'registration.seated',
} as const

/** Publishes the new state of registrations. @param former their state before; null: they are new */
export async function tellState(
  tx: Tx,
  link: RegistrationLinkId,
  users: readonly { readonly id: UserId; readonly state: RegistrationState | null }[],
): Promise<void> {
  const former = new Map(users.map(({ id, state }) => [id, state]))
  const { rows } = await selectRegistered(tx, link, [...former.keys()])
  await publish<typeof registrationEvents>(
    tx,
    rows.flatMap(
      ({
        user,
        learner,
        organisation,
        training,
        name,
        state,
        decidedBy,
      }): PublicationOf<typeof registrationEvents>[] => {
        const event = { organisation, resource: `registration:${link}:${user}`, training }
        const data = { link: { id: link, name }, learner }
        const before = former.get(user) ?? null
        const decided = { ...event, data: { ...data, decidedBy: decidedBy! } }
        if (state === 'declined') return [{ ...decided, type: STATES.declined }]
        const approved = state === 'seated' && (before === 'pending' || before === 'declined')
        return [
          ...(approved ? [{ ...decided, type: 'registration.approved' as const }] : []),
          { ...event, type: STATES[state], data },
        ]
      },
    ),
  )
  if (rows.some(({ state }) => state === 'seated')) await tellIfFull(tx, link)
}

/** Call after a seat was taken, or the number of seats was reduced. */
export async function tellIfFull(tx: Tx, link: RegistrationLinkId): Promise<void> {
  const { rows } = await selectIfFull(tx, link)
  await publish<typeof registrationEvents>(
    tx,
    rows.map(({ organisation, training, name, seats }) => ({
      organisation,
      type: 'registration.link_full' as const,
      resource: `registration_link:${link}`,
      training,
      data: { link: { id: link, name }, seats },
    })),
  )
}
