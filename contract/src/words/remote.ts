/** Where the page's web socket is, below `/api`. */
export const REMOTE_SOCKET = '/remote/socket'
/** The socket of those who watch a learner. */
export const WATCH_SOCKET = '/remote/watching'
/** Where the socket of a desktop is, below `/api`: an RDCleanPath request first, then RDP as it comes. */
export const DESKTOP_SOCKET = '/remote/desktop'
/** A learner's page beside its desktop's socket, which carries RDP alone: who watches it, and what they may. */
export const OWN_DESKTOP_SOCKET = '/remote/own-desktop'
/** The picture of a learner's desktop for somebody who watches it: RDCleanPath and RDP again. */
export const VIEW_SOCKET = '/remote/view'

/** Seconds within which a ticket must be used. */
export const REMOTE_TICKET_SECONDS = 60
/** Terminals that one machine may have open at once, and desktops. */
export const TERMINALS_PER_MACHINE = 5
/** Minutes after which a terminal in which nothing is typed is closed. */
export const TERMINAL_IDLE_MINUTES = 30
/** Bytes that one message of the page may hold: what is pasted goes in pieces. */
export const TERMINAL_MESSAGE_BYTES = 64 * 1024

/** The ways in which a machine opens in the browser: a terminal is usable with its prompt, a desktop with a full frame. */
export const OPENING_KINDS = ['terminal', 'desktop'] as const
export type OpeningKind = (typeof OPENING_KINDS)[number]
/** A wait from the click to there that is longer than this, in milliseconds, was none: somebody came back later. */
export const OPENING_MOST_MS = 120_000

/** Why there is no terminal, or none any more. */
export const REMOTE = {
  ticketRefused: 'This way in was used before, or is older than a minute. Reconnect to get a new one.',
  full: (machine: string) =>
    `${machine} has ${TERMINALS_PER_MACHINE} terminals open already. Close one of them, then reconnect.`,
  fullOfDesktops: (machine: string) =>
    `${machine}'s desktop is open ${TERMINALS_PER_MACHINE} times already. Close one of them, then reconnect.`,
  noAddress: (machine: string) => `${machine} has no public address yet. Try again in a minute.`,
  unreachable: (machine: string) => `${machine} does not answer. One that has just started needs a minute.`,
  loginRefused: (machine: string) => `${machine} does not take the password it was made with any more.`,
  keyChanged: (machine: string) =>
    `${machine} shows another host key than it did at first, as if another machine stood in its place. The connection was refused, and no password was sent.`,
  certificateChanged: (machine: string) =>
    `${machine} shows another certificate than it did at first, as if another machine stood in its place. The connection was refused, and no password was sent.`,
  withoutTls: (machine: string) => `${machine} does not encrypt its desktop (TLS), so the connection was refused.`,
  poweredOff: (machine: string) => `${machine} was powered off.`,
  notRunning: (machine: string) => `${machine} is not running any more.`,
  machineClosed: (machine: string) => `${machine} closed the connection. It may be shutting down or restarting.`,
  shellEnded: 'You left the shell.',
  desktopLeft: 'You left the desktop.',
  closedAtSignIn: (machine: string) =>
    `${machine} closed the connection as you signed in. Check the password that the account has now, and sign in again.`,
  signInRefused: (machine: string) =>
    `${machine} does not take this password. Sign in with the one that the account has now.`,
  noEngine: 'The remote desktop could not be loaded. Reload this page.',
  idle: `Nothing was typed for ${TERMINAL_IDLE_MINUTES} minutes.`,
  signedOut: 'You are not logged in any more.',
  outOfScope: (machine: string) => `${machine} is not open to you any more.`,
  notOpened: 'This way in did not open that machine just now in this session.',
  notSoLong: 'The machine can not have taken that long to open.',
  measuredAlready: 'This opening was measured already.',
  measuredEnough: 'Enough of your openings were measured today.',
  portalStops: 'The portal is restarting. Reconnect in a moment.',
  portalLost: 'The connection to the portal was lost.',
  pageClosed: 'The page was closed.',
  misspoken: 'The page said something that the portal does not understand.',
} as const
