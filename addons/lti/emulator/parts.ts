import type { FastifyReply } from 'fastify'
import { dropConnection } from '@trainyard/platform/emulator/faults/drop-connection.ts'
import type { Faults } from '@trainyard/platform/emulator/faults/faults.ts'
import type { Link, LmsRecords } from './records.ts'
import type { Settings } from '@trainyard/platform/emulator/record/settings.ts'

export interface LmsDependencies {
  readonly records: LmsRecords
  readonly settings: Settings
  readonly faults: Faults
  /** The emulator's origin, known once it listens. */
  origin(): string
  /** Maximum number of members per page of a roster. */
  pageSize(): number
}

/** An activity that a user opened, or the choice of content for a course. */
export interface Opened {
  readonly user: string
  readonly course: string
  readonly clientId: string
  /** null: the choice of content (deep linking). */
  readonly link: Link | null
  readonly target: 'window' | 'iframe'
}

/** Answers with an injected fault. Returns undefined if there is none. */
export function consumeFault(
  { faults }: LmsDependencies,
  operation: string,
  reply: FastifyReply,
): FastifyReply | undefined {
  switch (faults.consume(operation, '')?.kind) {
    case 'serverError':
      return reply.code(500).send({ error: 'server_error' })
    case 'malformed':
      // As Moodle answers a token request if it cannot fetch the tool's key set.
      return reply.code(404).type('text/html').send('<!DOCTYPE html><html><body>Error</body></html>')
    case 'dropConnection':
      return dropConnection(reply)
    default:
      return undefined
  }
}
