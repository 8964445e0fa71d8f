import { normaliseTypedCode } from '@trainyard/platform/contract/words/typed-code.ts'

/** Maximum number of seats of a link. It equals the maximum number of machines of an order. */
export const LINK_SEATS_MAX = 1_000
export const LINKS_PER_TRAINING = 50
export const LINK_DOMAINS_MAX = 20
/** Maximum number of users who wait for a seat or an approval of one link. */
export const LINK_QUEUE_MAX = 2_000

/**
 * State of a registration link for visitors. `broken`: seats come with a machine, but the template was deleted or is no
 * longer assigned.
 */
export const LINK_STATES = ['open', 'notOpen', 'closed', 'full', 'broken', 'revoked'] as const
export type LinkState = (typeof LINK_STATES)[number]

export const LINK_STATE_LABELS: Readonly<Record<LinkState, string>> = {
  open: 'Open',
  notOpen: 'Not open yet',
  closed: 'Closed',
  full: 'Full',
  broken: 'Without template',
  revoked: 'Revoked',
}

/** State of a user's registration by a link: has a seat, waits for an approval, waits for a seat, or was declined. */
export const REGISTRATION_STATES = ['seated', 'pending', 'waiting', 'declined'] as const
export type RegistrationState = (typeof REGISTRATION_STATES)[number]

export const REGISTRATION_STATE_LABELS: Readonly<Record<RegistrationState, string>> = {
  seated: 'Has a seat',
  pending: 'Waits for approval',
  waiting: 'On the waiting list',
  declined: 'Declined',
}

/** Crockford's Base32, without I, L, O and U, so that a code can be read aloud and typed. */
export const CODE_ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
/** Length of a code. Each character has 5 bits, the code 60. */
export const CODE_CHARACTERS = 12
const GROUP = 4

/** Path of the page of a link. */
export const JOIN_PATH = '/join/'

/** Returns a code in groups, as it is shown. */
export const formatCode = (code: string): string => code.match(new RegExp(`.{1,${GROUP}}`, 'g'))!.join('-')

/**
 * Returns a typed or copied code without separators and punctuation. Characters that look like 0 or 1 become these
 * digits. Null if the text cannot be a code.
 */
export function normaliseCode(entered: string): string | null {
  const code = normaliseTypedCode(entered).toLowerCase().replaceAll('o', '0').replace(/[il]/g, '1')
  return code.length === CODE_CHARACTERS && [...code].every((each) => CODE_ALPHABET.includes(each)) ? code : null
}

export const REGISTRATION = {
  notValid: 'This registration link is not valid. Ask the person who gave it to you for a new one.',
  incomplete: `This registration link is incomplete. Open the whole link again, or enter its code of ${CODE_CHARACTERS} letters and digits.`,
  seated: 'You have a seat.',
  pending: 'Your registration waits for approval. You will receive an e-mail when it is decided.',
  waiting: (place: number) =>
    `You are number ${place} on the waiting list. You will receive an e-mail when you have a seat.`,
  declined: 'Your registration was declined. Ask the instructor of the training if you think this is a mistake.',
  full: 'All seats are taken. You can join the waiting list.',
  closed: 'Registration is closed. You can join the waiting list.',
  notOpen: 'Registration is not open yet. Come back when it opens.',
  broken: 'Registration is not possible at the moment. Ask the instructor of the training.',
  emailSent:
    'If this address can register, a link to continue is on its way to it. The link works for 30 minutes. Look in the spam folder if it does not arrive.',
  otherDomain: (email: string, domains: readonly string[]) =>
    `${email} cannot register with this link. It is only for addresses of ${domains.join(', ')}.`,
  otherOrganisation: (email: string) =>
    `${email} cannot register with this link. Log out and register with another address, or ask the instructor of the training.`,
  nameMissing: 'Enter your name.',
  pseudonymNotAllowed: 'This organisation does not allow pseudonyms. Enter your own name.',
} as const
