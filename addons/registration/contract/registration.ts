import * as limits from '@trainyard/platform/contract/limits.ts'
import { type Limit, MINUTE } from '@trainyard/platform/contract/limits.ts'
import { orders } from '@trainyard/machines/contract/machine.ts'
import { z } from 'zod'
import { call } from '@trainyard/platform/contract/call.ts'
import {
  LINK_DOMAINS_MAX,
  LINK_SEATS_MAX,
  LINK_STATES,
  normaliseCode,
  REGISTRATION_STATES,
} from './registration-words.ts'
import { TYPED_CODE_LENGTH } from '@trainyard/platform/contract/words/typed-code.ts'
import { MAILED_LINK } from '@trainyard/platform/contract/words/mailed-link.ts'
import { MACHINES_PER_CALL, OPERATING_SYSTEMS } from '@trainyard/platform/contract/words/limits.ts'
import {
  allottedMinutes,
  domain,
  email,
  enteredName,
  instant,
  message,
  name,
  newPassword,
  requestedInstant,
  trainingRef,
} from '@trainyard/platform/contract/shapes.ts'
import {
  attestation,
  challenge,
  challengeReply,
  recoveryCodes,
} from '@trainyard/second-factor/contract/second-factor.ts'
import { signedIn } from '@trainyard/users/contract/user.ts'

/** A whole class behind one address opens a link within a minute. A code has 60 bits. */
const openedLinks: Limit = { name: 'registration', per: 'address', max: 1_200, seconds: MINUTE }

/** Each call may send an e-mail, at most three in half an hour to one mailbox. */
const registrationEmails: Limit = { name: 'registration-emails', per: 'address', max: 300, seconds: MINUTE }

const seatChanges: Limit = { name: 'seats', per: 'person', max: 60, seconds: MINUTE }

const leaders = ['admin', 'superadmin'] as const
/** A code as entered. A text that cannot be a code gets the same reply as an unknown code. */
const code = z
  .string()
  .max(TYPED_CODE_LENGTH, 'is too long')
  .transform((entered) => normaliseCode(entered) ?? '')
const token = z.string().min(20, MAILED_LINK.registrationIncomplete).max(200, MAILED_LINK.registrationIncomplete)
const linkId = z.uuid('must be the id of a registration link')
const seats = z.int().min(1, 'must be at least one').max(LINK_SEATS_MAX, `must be at most ${LINK_SEATS_MAX}`)
const domains = z
  .array(domain)
  .max(LINK_DOMAINS_MAX, `must be at most ${LINK_DOMAINS_MAX} domains`)
  .refine((all) => new Set(all).size === all.length, 'must name each domain once')
const machine = z.strictObject({ templateName: name, allocatedHours: allottedMinutes, guacamole: z.boolean() })
const settings = {
  name: enteredName,
  seats,
  opensAt: requestedInstant.nullable(),
  closesAt: requestedInstant.nullable(),
  domains,
  needsApproval: z.boolean(),
  /** Null for seats without a machine. */
  machine: machine.nullable(),
} as const

export const linkSettings = z
  .strictObject(settings)
  .refine(({ opensAt, closesAt }) => opensAt === null || closesAt === null || opensAt < closesAt, {
    error: 'Choose a time after the first one.',
    path: ['closesAt'],
  })

const emails = z
  .array(email)
  .min(1, 'must name at least one learner')
  .max(MACHINES_PER_CALL)
  .refine((all) => new Set(all).size === all.length, 'must name each learner once')

const link = z.object({
  _id: z.uuid(),
  name: z.string(),
  state: z.enum(LINK_STATES),
  /** null if the portal cannot decrypt it; a new code repairs this. */
  code: z.string().nullable(),
  url: z.string().nullable(),
  seats: z.int(),
  taken: z.int(),
  pending: z.int(),
  waiting: z.int(),
  opensAt: instant.nullable(),
  closesAt: instant.nullable(),
  /** If empty, every domain is allowed. */
  domains: z.array(z.string()),
  needsApproval: z.boolean(),
  /** Machine of each seat, or null if seats have no machine. `templateName` is null if the template was deleted. */
  machine: z
    .object({ templateName: z.string().nullable(), allocatedHours: z.int().nullable(), guacamole: z.boolean() })
    .nullable(),
  /** Reason for which users on the waiting list got no seat at the last attempt. */
  problem: z.string().nullable(),
  madeBy: z.string(),
  madeAt: instant,
})
export type RegistrationLink = z.output<typeof link>

const registered = z.object({
  email: z.string(),
  name: z.string().nullable(),
  isPseudonym: z.boolean(),
  state: z.enum(REGISTRATION_STATES),
  registeredAt: instant,
  decidedBy: z.string().nullable(),
})
export type Registered = z.output<typeof registered>

export const registrationLink = {
  list: call({
    route: 'GET /azure/registrationLinks',
    for: leaders,
    instructors: true,
    does: "Lists a training's registration links with their codes and counts, and the templates of new links.",
    query: trainingRef,
    reply: z.object({
      links: z.array(link),
      templates: z.array(z.object({ name: z.string(), os: z.enum(OPERATING_SYSTEMS) })),
    }),
  }),
  registrations: call({
    route: 'GET /azure/registrations',
    for: leaders,
    instructors: true,
    does: 'Lists the users who registered by a link, in the order of their registration.',
    query: z.strictObject({ link: linkId }),
    reply: z.object({ registrations: z.array(registered) }),
  }),
  create: call({
    route: 'POST /azure/registrationLinks',
    for: leaders,
    instructors: true,
    does: 'Creates a link with a code, by which learners register themselves for a training.',
    audit: 'created a registration link',
    body: trainingRef.extend(settings),
    reply: message.extend({ _id: z.uuid() }),
    once: true,
  }),
  change: call({
    route: 'PATCH /azure/registrationLinks',
    for: leaders,
    instructors: true,
    does: 'Changes a link. Seats that become free go to the waiting list. A changed machine applies to later seats.',
    audit: 'changed a registration link',
    body: z.strictObject(settings).partial().extend({ link: linkId }),
  }),
  rotate: call({
    route: 'POST /azure/registrationLinks/rotate',
    for: leaders,
    instructors: true,
    does: 'Gives a link a new code. The old one is no longer valid. Registered users stay registered.',
    audit: 'gave a registration link a new code',
    body: z.strictObject({ link: linkId }),
    once: true,
  }),
  revoke: call({
    route: 'POST /azure/registrationLinks/revoke',
    for: leaders,
    instructors: true,
    does: 'Revokes a link permanently. Registered users stay registered.',
    audit: 'revoked a registration link',
    body: z.strictObject({ link: linkId }),
  }),
  approve: call({
    route: 'POST /azure/registrations/approve',
    for: leaders,
    instructors: true,
    does: 'Gives seats to users who wait for an approval or for a seat, all or none, and mails them.',
    audit: 'approved registrations',
    limit: orders,
    size: 'list',
    body: z.strictObject({ link: linkId, emails }),
  }),
  decline: call({
    route: 'POST /azure/registrations/decline',
    for: leaders,
    instructors: true,
    does: 'Declines registrations, all or none. The seats become free. Their machines are not deleted.',
    audit: 'declined registrations',
    size: 'list',
    body: z.strictObject({ link: linkId, emails }),
  }),
}

const mine = z.object({
  /** Null if the user is not registered. */
  state: z.enum(REGISTRATION_STATES).nullable(),
  message: z.string(),
  trainingName: z.string(),
  /** Place in the waiting list, from 1; null in other states. */
  place: z.int().nullable(),
  hasMachine: z.boolean(),
})

export const registration = {
  read: call({
    route: 'GET /registration',
    for: 'anyone',
    does: 'Returns what a visitor needs to know about a registration link.',
    limit: openedLinks,
    query: z.strictObject({ code }),
    reply: z.object({
      organization: z.string(),
      trainingName: z.string(),
      state: z.enum(LINK_STATES),
      opensAt: instant.nullable(),
      closesAt: instant.nullable(),
      timeZone: z.string(),
      domains: z.array(z.string()),
      needsApproval: z.boolean(),
      hasMachine: z.boolean(),
      pseudonymsAllowed: z.boolean(),
      /** False if the organisation's users sign in only through its own provider. */
      passwordsAllowed: z.boolean(),
    }),
  }),
  requestAccount: call({
    route: 'POST /registration/account',
    for: 'anyone',
    does: 'Mails a link to create an account, or to log in. The reply does not depend on whether the address has an account.',
    audit: 'requested an e-mail to register by a link',
    limit: registrationEmails,
    size: { bytes: 2_048, values: 1_000 },
    body: z.strictObject({ code, email }),
  }),
  confirmation: call({
    route: 'POST /registration/confirmation',
    for: 'anyone',
    does: "Returns the address of a mailed link's token without using it.",
    audit: 'opened an e-mailed registration link',
    limit: limits.guesses,
    size: { bytes: 8_192, values: 1_000 },
    body: z.strictObject({ token }),
    reply: z.object({
      email: z.string(),
      organization: z.string(),
      /** Origin at which a passkey can be created; null if the portal is reached by IP address. */
      passkeysAt: z.string().nullable(),
    }),
  }),
  beginPasskey: call({
    route: 'POST /registration/passkey',
    for: 'anyone',
    does: "Returns a challenge for the passkey of a new account, with a mailed link's token, which stays valid. The account is added without a sign-in method.",
    audit: 'started to create a passkey by an e-mailed registration link',
    limit: limits.guesses,
    size: { bytes: 8_192, values: 1_000 },
    body: z.strictObject({ token }),
    reply: challengeReply,
  }),
  createAccount: call({
    route: 'POST /registration/confirm',
    for: 'anyone',
    does: "Creates a learner's account with a password, a passkey or both by a mailed link's single-use token, and opens a session.",
    audit: 'created their account by a registration link',
    limit: limits.guesses,
    size: { bytes: 8_192, values: 1_000 },
    body: z
      .strictObject({
        token,
        password: newPassword.optional(),
        passkey: z.strictObject({ challenge, attestation }).optional(),
      })
      .refine(({ password, passkey }) => password !== undefined || passkey !== undefined, {
        path: ['password'],
        message: 'must be given, or a passkey',
      }),
    reply: signedIn.extend({
      /** Codes of the new user; null if the user has a password instead of a passkey. */
      recoveryCodes: recoveryCodes.nullable(),
    }),
  }),
  mine: call({
    route: 'GET /registration/mine',
    for: ['user'],
    does: "Returns the user's own registration at a link.",
    query: z.strictObject({ code }),
    reply: mine.extend({
      /** False if the user must give a name to register. */
      hasName: z.boolean(),
    }),
  }),
  takeSeat: call({
    route: 'POST /registration/seat',
    for: ['user'],
    does: 'Registers the user by a link: takes a seat with its machine, or waits for an approval or, with `wait`, for a seat. Repeating it changes nothing.',
    audit: 'registered by a link',
    limit: seatChanges,
    body: z.strictObject({
      code,
      name: enteredName.optional(),
      isPseudonym: z.boolean().optional(),
      wait: z.boolean().optional(),
    }),
    reply: mine,
  }),
}

declare module '@trainyard/platform/contract/contract.ts' {
  interface Contract {
    registration: typeof registration
    registrationLink: typeof registrationLink
  }
}
