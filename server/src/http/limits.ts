/** A limit counts by it: a network, a browser that is known, a person, or an organisation. */
export type CountedBy = 'address' | 'browser' | 'person' | 'organisation'

/** So many calls of a class within a window, for each of what it counts by. */
export interface Limit {
  /** Its name in the headers that tell of it. */
  readonly name: string
  readonly per: CountedBy
  readonly most: number
  readonly seconds: number
  /** Calls by method and path; or all that somebody who is signed in makes. */
  readonly calls: readonly string[] | 'of people'
}

const MINUTE = 60
const HOUR = 3_600

/** Calls that take a password, a code, a passkey or a token may be tried only so often: somebody may be guessing. */
const GUESSABLE = [
  'POST /user/login',
  'POST /user/login/second',
  'POST /user/login/passkey',
  'POST /user/login/passkey/challenge',
  'POST /user/password',
  'POST /user/invitation',
  'POST /sign-in/start',
  'POST /sign-in/finish',
]
/** Bytes of the largest body that these take. */
export const GUESS_BYTES = 8_192

/** Every limit of the calls. People stay far below them, with a class of 400 too; a flood or a loop does not. */
export const LIMITS: readonly Limit[] = [
  // A whole classroom behind one address may log in within a minute.
  { name: 'sign-in', per: 'address', most: 300, seconds: MINUTE, calls: GUESSABLE },
  // A known browser is not counted with its address: nobody types a password as often as this.
  { name: 'known-browser', per: 'browser', most: 60, seconds: MINUTE, calls: ['POST /user/login'] },
  // Whoever changes their password says the old one.
  {
    name: 'password',
    per: 'person',
    most: 20,
    seconds: MINUTE,
    calls: ['POST /user/password/change', 'POST /account/confirm'],
  },
  // Each may send an email to somebody who did not ask for it.
  { name: 'forgot', per: 'address', most: 60, seconds: MINUTE, calls: ['POST /user/forgot'] },
  // The form is open to all and leaves a row each time.
  { name: 'contact', per: 'address', most: 20, seconds: MINUTE, calls: ['POST /contact'] },
  // A list of lab users is a call each, and each call an email.
  {
    name: 'invitations',
    per: 'person',
    most: 1_000,
    seconds: HOUR,
    calls: [
      'POST /admin/users',
      'POST /admin/users/invite',
      'POST /admin/users/invitation',
      'POST /sandbox/user',
      'POST /aws/user',
    ],
  },
  // One order names up to 1,000 learners, and each of them is invited.
  { name: 'orders', per: 'organisation', most: 60, seconds: MINUTE, calls: ['POST /azure/machines'] },
  {
    name: 'payments',
    per: 'organisation',
    most: 60,
    seconds: MINUTE,
    calls: ['POST /admin/ledger/order', 'POST /admin/ledger/paymentVerify'],
  },
  { name: 'refunds', per: 'person', most: 60, seconds: MINUTE, calls: ['POST /admin/ledger/refunds'] },
  // Each is mailed.
  { name: 'payment-requests', per: 'person', most: 60, seconds: HOUR, calls: ['POST /admin/ledger/requests'] },
  // Each makes the pages of a document, while its series waits.
  {
    name: 'invoices',
    per: 'person',
    most: 600,
    seconds: HOUR,
    calls: ['POST /admin/invoices', 'POST /admin/invoice/credit', 'POST /admin/invoice/registration'],
  },
  {
    name: 'documents',
    per: 'person',
    most: 600,
    seconds: HOUR,
    calls: ['POST /admin/invoice/pdf', 'POST /admin/invoice/json', 'POST /admin/ledger/statement/pdf'],
  },
  // Each is a file of up to some hundred parts, and a worker's minute.
  { name: 'bills', per: 'person', most: 60, seconds: HOUR, calls: ['POST /admin/costs/imports'] },
  {
    name: 'exports',
    per: 'person',
    most: 60,
    seconds: HOUR,
    calls: ['POST /admin/audit/export', 'POST /admin/ledger/export'],
  },
  // Each connects to a machine.
  { name: 'folders', per: 'person', most: 120, seconds: MINUTE, calls: ['GET /remote/folder'] },
  { name: 'search', per: 'person', most: 240, seconds: MINUTE, calls: ['GET /user/search', 'GET /admin/audit'] },
  { name: 'calls', per: 'person', most: 3_000, seconds: MINUTE, calls: 'of people' },
]

export const isGuess = (call: string): boolean => GUESSABLE.includes(call)
