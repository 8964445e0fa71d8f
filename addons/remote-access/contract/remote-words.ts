export const REMOTE_SOCKET = '/remote/socket'
export const WATCH_SOCKET = '/remote/watching'
/** Carries one RDCleanPath request, then RDP. */
export const DESKTOP_SOCKET = '/remote/desktop'
/** Tells a learner's desktop page who is watching. The desktop's own socket carries only RDP. */
export const OWN_DESKTOP_SOCKET = '/remote/own-desktop'
/** Shows a learner's desktop to an instructor: RDCleanPath and RDP. */
export const VIEW_SOCKET = '/remote/view'

/** Carries SSH for programs with an API key. */
export const SSH_SOCKET = '/remote/ssh'

export const REMOTE_TICKET_SECONDS = 60
/** Maximum number of open terminals per machine. Desktops and SSH connections have separate limits of the same size. */
export const TERMINALS_PER_MACHINE = 5
/** Minutes without typing after which a terminal is closed. */
export const TERMINAL_IDLE_MINUTES = 30
/** Minutes for which a shell remains open for a page that has lost its connection. */
export const SHELL_KEPT_MINUTES = 5
/** Pauses up to this length between inputs count as active. */
export const ACTIVE_PAUSE_MINUTES = 5
/** Maximum size of a message. Larger pastes are split. */
export const TERMINAL_MESSAGE_BYTES = 64 * 1024

/** A longer wait means that the user had left the page. */
export const OPENING_MS_MAX = 120_000

export const REMOTE_MESSAGES = {
  ticketRefused: 'This link was used before or is older than a minute. Reconnect to get a new one.',
  full: (machine: string) =>
    `${machine} already has ${TERMINALS_PER_MACHINE} open terminals. Close one of them, then reconnect.`,
  fullOfDesktops: (machine: string) =>
    `${machine} already has ${TERMINALS_PER_MACHINE} open desktops. Close one of them, then reconnect.`,
  fullOfConnections: (machine: string) =>
    `${machine} already has ${TERMINALS_PER_MACHINE} SSH connections through the portal. Close one of them, then try again.`,
  withoutSsh: (machine: string) => `${machine} runs Windows, which has no SSH. Open its desktop in the browser.`,
  sshNotAllowed: (training: string) =>
    `SSH can transfer files, which is not allowed in ${training}. Open the terminal in the browser.`,
  keyUnknown: (machine: string) =>
    `The portal has not recorded the host key of ${machine} yet. Try again in a minute, or open its terminal in the browser once.`,
  keysOnly: 'SSH connections need an API key. Open the machine in the browser, or use the command trainyard ssh.',
  connectionClosed: 'The connection was closed by the client.',
  noAddress: (machine: string) => `${machine} has no address yet. Try again in a minute.`,
  unreachable: (machine: string) => `${machine} does not answer. A machine that has just started needs about a minute.`,
  noGateway: (machine: string) =>
    `${machine} cannot be reached: the gateway of its network is not connected to the portal. Try again in a minute, or tell your administrator.`,
  loginRefused: (machine: string) => `${machine} no longer accepts its original password.`,
  keyChanged: (machine: string) =>
    `${machine} presents a different host key than on the first connection, as if it were another machine. The connection was refused, and no password was sent.`,
  certificateChanged: (machine: string) =>
    `${machine} presents a different certificate than on the first connection, as if it were another machine. The connection was refused, and no password was sent.`,
  withoutTls: (machine: string) => `${machine} does not encrypt its desktop (TLS), so the connection was refused.`,
  poweredOff: (machine: string) => `${machine} was powered off.`,
  notRunning: (machine: string) => `${machine} is no longer running.`,
  machineClosed: (machine: string) => `${machine} closed the connection. It may be shutting down or restarting.`,
  shellEnded: 'You left the shell.',
  desktopLeft: 'You left the desktop.',
  closedAtSignIn: (machine: string) =>
    `${machine} closed the connection while you signed in. Check the account’s current password and sign in again.`,
  signInRefused: (machine: string) =>
    `${machine} does not accept this password. Sign in with the account’s current password.`,
  clientNotLoaded: 'The remote desktop could not be loaded. Reload this page.',
  idle: `Closed after ${TERMINAL_IDLE_MINUTES} minutes without input.`,
  signedOut: 'You are no longer logged in.',
  outOfScope: (machine: string) => `You no longer have access to ${machine}.`,
  notOpened: 'This ticket did not open that machine recently in this session.',
  tooLong: 'The machine cannot have taken that long to open.',
  measuredAlready: 'This opening was already measured.',
  dailyLimitReached: 'Enough of your openings have been measured today.',
  portalRestarting: 'The portal is restarting. Reconnect in a moment.',
  portalLost: 'The connection to the portal was lost.',
  pageClosed: 'The page was closed.',
  pageLost: `The page was not connected for ${SHELL_KEPT_MINUTES} minutes.`,
  openedElsewhere: 'This terminal continues on another page.',
  invalidMessage: 'The page sent a message that the portal does not understand.',
} as const
