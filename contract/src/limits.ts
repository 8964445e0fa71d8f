/** Limit of the rate of calls. Each process counts separately. Normal use is far below, even with a class of 400 learners. */
export interface Limit {
  readonly name: string
  readonly per: 'address' | 'browser' | 'person' | 'organisation' | 'key'
  readonly max: number
  readonly seconds: number
  /**
   * True for calls of monitoring and providers. These limits are scaled like limits per user, because the calls reveal
   * no secret to guessing.
   */
  readonly isFromPrograms?: true
}

const MINUTE = 60
const HOUR = 3_600

/**
 * Calls that take a password, a code, a passkey or a token: an attacker may be guessing. A class of 400 behind one address
 * may log in within a minute, some of them in two steps.
 */
export const guesses: Limit = { name: 'sign-in', per: 'address', max: 600, seconds: MINUTE }

export const knownBrowsers: Limit = { name: 'known-browser', per: 'browser', max: 60, seconds: MINUTE }

export const ownPasswords: Limit = { name: 'password', per: 'person', max: 20, seconds: MINUTE }

/**
 * A whole class behind one address may open an activity within a minute. A launch opens two pages and makes three
 * calls.
 */
export const launches: Limit = { name: 'lti', per: 'address', max: 3_000, seconds: MINUTE }

export const ltiKeys: Limit = { name: 'lti-keys', per: 'address', max: 600, seconds: MINUTE }

export const ltiRegistration: Limit = { name: 'lti-registration', per: 'address', max: 20, seconds: MINUTE }

/** Each call may send an e-mail to a person who did not request it. */
export const forgotten: Limit = { name: 'forgot', per: 'address', max: 60, seconds: MINUTE }

export const contacts: Limit = { name: 'contact', per: 'address', max: 20, seconds: MINUTE }

/** A whole class behind one address opens a link within a minute. A code has 60 bits. */
export const openedLinks: Limit = { name: 'registration', per: 'address', max: 1_200, seconds: MINUTE }

/** Each call may send an e-mail, at most three in half an hour to one mailbox. */
export const registrationEmails: Limit = { name: 'registration-emails', per: 'address', max: 300, seconds: MINUTE }

export const seats: Limit = { name: 'seats', per: 'person', max: 60, seconds: MINUTE }

/** Probes of load balancers and monitoring, many of them behind one address. */
export const probes: Limit = { name: 'health', per: 'address', isFromPrograms: true, max: 3_000, seconds: MINUTE }

/** Calendar programs of a class behind one address read their links about once an hour. */
export const calendars: Limit = { name: 'calendars', per: 'address', max: 600, seconds: MINUTE }

/** Also read by programs. Browsers keep a logo for a year, but a class of 400 may open the portal at once. */
export const publicFiles: Limit = {
  name: 'public-files',
  per: 'address',
  isFromPrograms: true,
  max: 3_000,
  seconds: MINUTE,
}

/** The payment provider repeats refused events later. */
export const paymentEvents: Limit = {
  name: 'webhooks',
  per: 'address',
  isFromPrograms: true,
  max: 3_000,
  seconds: MINUTE,
}

/** Importing a list of lab users makes one call per user, and each call sends an e-mail. */
export const invitations: Limit = { name: 'invitations', per: 'person', max: 1_000, seconds: HOUR }

/** Each call invites up to 1,000 learners. */
export const orders: Limit = { name: 'orders', per: 'organisation', max: 60, seconds: MINUTE }

/** Each call takes a list of up to 1,000 machines. */
export const machineCommands: Limit = { name: 'machines', per: 'person', max: 600, seconds: MINUTE }

export const payments: Limit = { name: 'payments', per: 'organisation', max: 60, seconds: MINUTE }

/** Each call mails a document. */
export const prepaidInvoices: Limit = { name: 'prepaid-invoices', per: 'organisation', max: 20, seconds: HOUR }

export const refunds: Limit = { name: 'refunds', per: 'person', max: 60, seconds: MINUTE }

export const paymentRequests: Limit = { name: 'payment-requests', per: 'person', max: 60, seconds: HOUR }

export const changeRequests: Limit = { name: 'change-requests', per: 'person', max: 20, seconds: 24 * HOUR }

/** Each call renders a document while its number series is locked. */
export const invoices: Limit = { name: 'invoices', per: 'person', max: 600, seconds: HOUR }

export const documents: Limit = { name: 'documents', per: 'person', max: 600, seconds: HOUR }

/** Each call searches every table for a person. */
export const personalData: Limit = { name: 'personal-data', per: 'person', max: 60, seconds: HOUR }

/** Each call copies a disk at Azure, which stores and bills the image until it is deleted there. */
export const images: Limit = { name: 'images', per: 'organisation', max: 1_000, seconds: 24 * HOUR }

/** Each reading makes several calls to Azure per lab, and files are parsed at once. */
export const labImports: Limit = { name: 'lab-imports', per: 'organisation', max: 60, seconds: HOUR }

/** Each call may send up to 1,000 requests to the organisation's server. */
export const webhookSends: Limit = { name: 'webhook-sends', per: 'organisation', max: 60, seconds: MINUTE }

/** A bill has up to some hundred parts and takes a worker about a minute. */
export const bills: Limit = { name: 'bills', per: 'person', max: 60, seconds: HOUR }

export const exports: Limit = { name: 'exports', per: 'person', max: 60, seconds: HOUR }

/** Each request stores a document of up to 700 kB. */
export const taxEvidence: Limit = { name: 'tax-status', per: 'organisation', max: 20, seconds: 24 * HOUR }

/** The limit is far above the pieces of three concurrent transfers over a network of 100 MB/s. */
export const transfers: Limit = { name: 'transfers', per: 'person', max: 12_000, seconds: MINUTE }

/** Each request costs a query. A whole class behind one address opens the portal, or returns to it, within a minute. */
export const unknownSessions: Limit = { name: 'unknown-sessions', per: 'address', max: 6_000, seconds: MINUTE }

/** Each call computes the sessions of up to a year and their conflicts. A form previews each change. */
export const previews: Limit = { name: 'previews', per: 'person', max: 120, seconds: MINUTE }

export const folders: Limit = { name: 'folders', per: 'person', max: 120, seconds: MINUTE }

export const searches: Limit = { name: 'search', per: 'person', max: 240, seconds: MINUTE }

/** A program that polls every second stays far below this limit. */
export const key: Limit = { name: 'key', per: 'key', max: 600, seconds: MINUTE }

export const calls: Limit = { name: 'calls', per: 'person', max: 3_000, seconds: MINUTE }
