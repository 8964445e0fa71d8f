type CountedBy = 'address' | 'browser' | 'person' | 'organisation' | 'key'

export interface Limit {
  readonly name: string
  readonly per: CountedBy
  readonly max: number
  readonly seconds: number
  readonly calls: readonly string[] | 'of people'
  /**
   * True for calls of monitoring and providers. These limits are scaled like limits per user, because the calls reveal
   * no secret to guessing.
   */
  readonly isFromPrograms?: true
}

/** True for limits that RATE_LIMIT_FACTOR multiplies; limits against guessing and unwanted e-mails are fixed. */
export const isScaled = ({ per, isFromPrograms }: Limit): boolean =>
  isFromPrograms === true || (per !== 'address' && per !== 'browser')

const MINUTE = 60
const HOUR = 3_600

/** Calls that take a password, a code, a passkey or a token. They are limited because an attacker may be guessing. */
const GUESSABLE_CALLS = [
  'POST /user/login',
  'POST /user/login/second',
  'POST /user/login/passkey',
  'POST /user/login/passkey/challenge',
  'POST /user/password',
  'POST /user/invitation',
  'POST /user/confirm',
  'POST /sign-in/start',
  'POST /sign-in/finish',
  'POST /registration/confirmation',
  'POST /registration/passkey',
  'POST /registration/confirm',
]

/** Files outside the contract that are made from the database or described from the contract. */
export const PUBLIC_FILES = ['GET /openapi.json', 'GET /public/openapi.json', 'GET /logo/:digest'] as const
/** Calls that move the content of files. They have a separate limit, because a file has up to 1,024 pieces. */
export const TRANSFER_CALLS: readonly string[] = ['PUT /remote/transfers/:id/:offset', 'GET /remote/transfers/:id']
/** Requests with a token that this process does not know: only a query can find the session. */
export const UNKNOWN_SESSION = 'unknown session'
/** Calls that send a request to other users, who must read and answer it. */
const ASKING_CALLS = ['POST /requests/hours', 'POST /requests/quota', 'POST /requests/admin']
const LAUNCH_CALLS = [
  'POST /lti/start',
  'POST /lti/finish',
  'POST /lti/enter',
  'POST /lti/hand-over',
  'POST /lti/choose',
]

/** All rate limits. Normal use is far below them, even with a class of 400 learners. A flood or a loop exceeds them. */
export const LIMITS: readonly Limit[] = [
  // A whole classroom behind one address may log in within a minute.
  { name: 'sign-in', per: 'address', max: 300, seconds: MINUTE, calls: GUESSABLE_CALLS },
  { name: 'known-browser', per: 'browser', max: 60, seconds: MINUTE, calls: ['POST /user/login'] },
  {
    name: 'password',
    per: 'person',
    max: 20,
    seconds: MINUTE,
    calls: ['POST /user/password/change', 'POST /account/confirm'],
  },
  // A whole class behind one address may open an activity within a minute. A launch opens two pages and makes
  // three calls.
  { name: 'lti', per: 'address', max: 3_000, seconds: MINUTE, calls: LAUNCH_CALLS },
  { name: 'lti-keys', per: 'address', max: 600, seconds: MINUTE, calls: ['GET /lti/keys'] },
  { name: 'lti-registration', per: 'address', max: 20, seconds: MINUTE, calls: ['POST /lti/register'] },
  // Each call may send an e-mail to a person who did not request it.
  { name: 'forgot', per: 'address', max: 60, seconds: MINUTE, calls: ['POST /user/forgot'] },
  { name: 'contact', per: 'address', max: 20, seconds: MINUTE, calls: ['POST /contact'] },
  // A whole class behind one address opens a link within a minute. A code has 60 bits.
  { name: 'registration', per: 'address', max: 1_200, seconds: MINUTE, calls: ['GET /registration'] },
  // Each call may send an e-mail, at most three in half an hour to one mailbox.
  { name: 'registration-emails', per: 'address', max: 300, seconds: MINUTE, calls: ['POST /registration/account'] },
  { name: 'seats', per: 'person', max: 60, seconds: MINUTE, calls: ['POST /registration/seat'] },
  // Probes of load balancers and monitoring, many of them behind one address.
  {
    name: 'health',
    per: 'address',
    isFromPrograms: true,
    max: 3_000,
    seconds: MINUTE,
    calls: ['GET /health', 'GET /health/live', 'GET /health/ready', 'GET /health/proof'],
  },
  // Calendar programs of a class behind one address read their links about once an hour.
  { name: 'calendars', per: 'address', max: 600, seconds: MINUTE, calls: ['GET /calendar.ics'] },
  // Also read by programs. Browsers keep a logo for a year, but a class of 400 may open the portal at once.
  { name: 'public-files', per: 'address', isFromPrograms: true, max: 3_000, seconds: MINUTE, calls: PUBLIC_FILES },
  // The payment provider repeats refused events later.
  {
    name: 'webhooks',
    per: 'address',
    isFromPrograms: true,
    max: 3_000,
    seconds: MINUTE,
    calls: ['POST /payments/webhook'],
  },
  // Importing a list of lab users makes one call per user, and each call sends an e-mail.
  {
    name: 'invitations',
    per: 'person',
    max: 1_000,
    seconds: HOUR,
    calls: [
      'POST /admin/users',
      'POST /admin/users/invite',
      'POST /admin/customer',
      'POST /admin/users/invitation',
      'POST /admin/people/invitation',
      'POST /sandbox/user',
      'POST /aws/user',
      'POST /azure/class/instructors',
      'POST /azure/class/invitation',
    ],
  },
  // Each call invites up to 1,000 learners.
  {
    name: 'orders',
    per: 'organisation',
    max: 60,
    seconds: MINUTE,
    calls: [
      'POST /azure/machines',
      'POST /admin/demo-class',
      'POST /labImports/cutOver',
      'PATCH /azure/machinesLearners',
      'POST /azure/registrations/approve',
    ],
  },
  // Each call takes a list of up to 1,000 machines.
  {
    name: 'machines',
    per: 'person',
    max: 600,
    seconds: MINUTE,
    calls: [
      'PATCH /azure/machines',
      'PATCH /azure/machinesUndo',
      'PATCH /azure/machinesRestart',
      'PATCH /azure/machinesReset',
      'DELETE /azure/machines',
    ],
  },
  {
    name: 'payments',
    per: 'organisation',
    max: 60,
    seconds: MINUTE,
    calls: ['POST /admin/ledger/order', 'POST /admin/ledger/paymentVerify'],
  },
  // Each call mails a document.
  { name: 'prepaid-invoices', per: 'organisation', max: 20, seconds: HOUR, calls: ['POST /admin/quotes/prepaid'] },
  { name: 'refunds', per: 'person', max: 60, seconds: MINUTE, calls: ['POST /admin/ledger/refunds'] },
  { name: 'payment-requests', per: 'person', max: 60, seconds: HOUR, calls: ['POST /admin/ledger/requests'] },
  { name: 'change-requests', per: 'person', max: 20, seconds: 24 * HOUR, calls: ASKING_CALLS },
  // Each call renders a document while its number series is locked.
  {
    name: 'invoices',
    per: 'person',
    max: 600,
    seconds: HOUR,
    calls: [
      'POST /admin/invoices',
      'POST /admin/invoices/one-off',
      'POST /admin/invoice/credit',
      'POST /admin/invoice/debit',
      'POST /admin/invoice/registration',
    ],
  },
  {
    name: 'documents',
    per: 'person',
    max: 600,
    seconds: HOUR,
    calls: [
      'POST /admin/invoice/pdf',
      'POST /admin/quotes/pdf',
      'POST /admin/invoice/json',
      'POST /admin/ledger/statement/pdf',
      'POST /azure/attendance/csv',
      'POST /azure/attendance/pdf',
      'POST /admin/organization/tax-status/requests/document',
      'POST /admin/gstr-1/json',
      'POST /labImports/report',
    ],
  },
  // Each call searches every table for a person.
  {
    name: 'personal-data',
    per: 'person',
    max: 60,
    seconds: HOUR,
    calls: ['POST /privacy/export', 'POST /privacy/export/mine'],
  },
  // Each call copies a disk at Azure, which stores and bills the image until it is deleted there.
  { name: 'images', per: 'organisation', max: 1_000, seconds: 24 * HOUR, calls: ['POST /admin/capture'] },
  // Each reading makes several calls to Azure per lab, and files are parsed at once.
  {
    name: 'lab-imports',
    per: 'organisation',
    max: 60,
    seconds: HOUR,
    calls: ['POST /labImports', 'POST /labImports/refresh', 'POST /labImports/files'],
  },
  // Each call may send up to 1,000 requests to the organisation's server.
  {
    name: 'webhook-sends',
    per: 'organisation',
    max: 60,
    seconds: MINUTE,
    calls: ['POST /webhooks/test', 'POST /webhooks/resend'],
  },
  // A bill has up to some hundred parts and takes a worker about a minute.
  { name: 'bills', per: 'person', max: 60, seconds: HOUR, calls: ['POST /admin/costs/imports'] },
  {
    name: 'exports',
    per: 'person',
    max: 60,
    seconds: HOUR,
    calls: ['POST /admin/audit/export', 'POST /admin/ledger/export'],
  },
  // Each request stores a document of up to 700 kB.
  {
    name: 'tax-status',
    per: 'organisation',
    max: 20,
    seconds: 24 * HOUR,
    calls: ['POST /admin/organization/tax-status/requests'],
  },
  // The limit is far above the pieces of three concurrent transfers over a network of 100 MB/s.
  { name: 'transfers', per: 'person', max: 12_000, seconds: MINUTE, calls: TRANSFER_CALLS },
  // Each request costs a query. A whole class behind one address opens the portal, or returns to it, within a minute.
  { name: 'unknown-sessions', per: 'address', max: 6_000, seconds: MINUTE, calls: [UNKNOWN_SESSION] },
  // Each call computes the sessions of up to a year and their conflicts. A form previews each change.
  { name: 'previews', per: 'person', max: 120, seconds: MINUTE, calls: ['GET /azure/sessions/preview'] },
  { name: 'folders', per: 'person', max: 120, seconds: MINUTE, calls: ['GET /remote/folder'] },
  { name: 'search', per: 'person', max: 240, seconds: MINUTE, calls: ['GET /user/search', 'GET /admin/audit'] },
  // A program that polls every second stays far below this limit.
  { name: 'key', per: 'key', max: 600, seconds: MINUTE, calls: 'of people' },
  { name: 'calls', per: 'person', max: 3_000, seconds: MINUTE, calls: 'of people' },
]

/** Bounds of a call that needs no session. */
export interface AnonymousCall {
  /** Maximum size of the body; 0 for a call without one. */
  readonly bodyBytes: number
  /** Name of its rate limit per address. */
  readonly limit: string
}

/** Room for an address, a password of the maximum length and a token, in JSON. */
const CREDENTIALS = { bodyBytes: 8_192, limit: 'sign-in' }
const PROBE = { bodyBytes: 0, limit: 'health' }

/**
 * Every call that needs no session, by method and path. `anonymous.test.ts` measures the calls by this table. Pages and
 * their scripts are not in it: they are served from memory.
 */
export const ANONYMOUS_CALLS: Readonly<Record<string, AnonymousCall>> = {
  ...Object.fromEntries(GUESSABLE_CALLS.map((call) => [call, CREDENTIALS])),
  'POST /lti/start': { bodyBytes: 20_000, limit: 'lti' },
  'POST /lti/finish': { bodyBytes: 60_000, limit: 'lti' },
  'POST /lti/enter': { bodyBytes: 1_024, limit: 'lti' },
  'POST /lti/hand-over': { bodyBytes: 1_024, limit: 'lti' },
  'POST /lti/choose': { bodyBytes: 2_048, limit: 'lti' },
  'POST /lti/register': { bodyBytes: 16_384, limit: 'lti-registration' },
  'GET /lti/keys': { bodyBytes: 0, limit: 'lti-keys' },
  'POST /user/forgot': { bodyBytes: 2_048, limit: 'forgot' },
  'GET /registration': { bodyBytes: 0, limit: 'registration' },
  'POST /registration/account': { bodyBytes: 2_048, limit: 'registration-emails' },
  'POST /contact': { bodyBytes: 4_096, limit: 'contact' },
  'POST /payments/webhook': { bodyBytes: 65_536, limit: 'webhooks' },
  'GET /calendar.ics': { bodyBytes: 0, limit: 'calendars' },
  'GET /health': PROBE,
  'GET /health/live': PROBE,
  'GET /health/ready': PROBE,
  'GET /health/proof': PROBE,
  ...Object.fromEntries(PUBLIC_FILES.map((file) => [file, { bodyBytes: 0, limit: 'public-files' }])),
}

/**
 * Calls with separate connections: health, what a user needs to sign in or out, and events of the payment provider. They
 * answer while all other connections are in use, for example because a table is locked. Readiness is not one of them: a
 * process whose connections are all in use must not get more requests.
 */
const RESERVED_CALLS: ReadonlySet<string> = new Set([
  'GET /health',
  'POST /user/login',
  'POST /user/login/second',
  'POST /user/login/passkey',
  'POST /user/login/passkey/challenge',
  'POST /sign-in/start',
  'POST /sign-in/finish',
  'GET /user/me',
  'POST /user/logout',
  'POST /payments/webhook',
])

export const isReserved = (call: string): boolean => RESERVED_CALLS.has(call)
