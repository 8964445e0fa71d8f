import type { z } from 'zod'
import type { PublishedEvent } from '@trainyard/platform/contract/published.ts'
import type { OrganisationId, TrainingId, UserId } from '@trainyard/platform/contract/words/ids.ts'
import { emit, event } from '@trainyard/platform/server/core/events.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'

/** An event about which users are notified in the portal. Emitted in the transaction of the change. */
interface Notice {
  /** 'class': admins of the organisation and instructors of the training. 'person': the user whom it concerns. */
  readonly audience: 'class' | 'admins' | 'person' | 'superadmins'
  readonly organisation: OrganisationId
  readonly training: TrainingId | null
  /** The user whom it concerns, who is no reader of the other audiences. */
  readonly about: UserId | null
  readonly kind: `${string}.${string}`
  /** Text on screen, one or two sentences. */
  readonly text: string
  /** Path of the screen on which an admin can act on it. */
  readonly link: `/${string}`
  /** Reports what was expected, so it is not counted as unread. */
  readonly routine?: true
  /** Notices of one kind, training and user within these minutes are one. */
  readonly quietMinutes?: number
  /** Start of the event. A notice of the same kind, training and user since then gets the new text. */
  readonly since?: Date
}
export const noticed = event<Notice>('users.noticed')

/**
 * Something that other systems may subscribe to. The module that emits it declares its type (`publishes`).
 * @property resource events of one resource are delivered in their order
 * @property training becomes a field of the data with ID and name; omitted: the data has no such field
 */
export interface Publication {
  readonly organisation: OrganisationId
  readonly type: string
  readonly resource: string
  readonly training?: TrainingId | null
  readonly data: object
}
export const published = event<Publication>('users.published')

/** A publication of declared events, without the fields that are added to each. */
export type PublicationOf<Events extends Readonly<Record<string, PublishedEvent>>> = {
  readonly [Type in keyof Events & string]: Publication & {
    readonly type: Type
    readonly data: Omit<z.output<Events[Type]['data']>, 'version' | 'sequence' | 'training'>
  }
}[keyof Events & string]

export const publish = <Events extends Readonly<Record<string, PublishedEvent>>>(
  tx: Tx,
  publications: readonly PublicationOf<Events>[],
): Promise<void> => emit(tx, published, publications)
