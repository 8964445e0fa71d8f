/** Path of the terminal WebSocket, below `/api`. */
export const REMOTE_SOCKET = '/remote/socket'
/** Path of the WebSocket for instructors who watch a learner. */
export const WATCH_SOCKET = '/remote/watching'
/** Path of the desktop WebSocket, below `/api`. Carries one RDCleanPath request, then RDP. */
export const DESKTOP_SOCKET = '/remote/desktop'
/**
 * Path of the WebSocket that tells a learner's desktop page who is watching. The desktop's own socket carries only RDP.
 */
export const OWN_DESKTOP_SOCKET = '/remote/own-desktop'
/** Path of the WebSocket that shows a learner's desktop to an instructor: RDCleanPath and RDP. */
export const VIEW_SOCKET = '/remote/view'

/** Lifetime of a ticket in seconds. */
export const REMOTE_TICKET_SECONDS = 60
/** Maximum number of open terminals per machine. The same limit applies separately to desktops. */
export const TERMINALS_PER_MACHINE = 5
/** Minutes without typing after which a terminal is closed. */
export const TERMINAL_IDLE_MINUTES = 30
/** Maximum bytes of one message from the page. Larger pastes are split. */
export const TERMINAL_MESSAGE_BYTES = 64 * 1024

/**
 * Ways to open a machine in the browser. A terminal is usable once its prompt appears, a desktop once a full frame is
 * shown.
 */
export const OPENING_KINDS = ['terminal', 'desktop'] as const
export type OpeningKind = (typeof OPENING_KINDS)[number]
/** Longest opening time that is recorded, in milliseconds. A longer wait means that the user had left the page. */
export const OPENING_MOST_MS = 120_000

/** Reasons why a terminal or desktop did not open or was closed. */
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
