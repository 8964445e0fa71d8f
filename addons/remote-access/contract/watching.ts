export const WATCHERS_PER_TERMINAL = 10
/** Seconds that a learner has to answer a request to watch. */
export const WATCH_ASK_SECONDS = 120
/** Seconds before an instructor can ask a learner again after a refusal. */
export const WATCH_REFUSED_SECONDS = 60

export const WATCHING = {
  /** Shown to the learner when the machine opens. */
  unasked: 'Your instructors can watch this screen without asking you. Their names are shown here while they do.',
  asked: 'Instructors ask you before they watch this screen.',
  setAsk: 'Learners will be asked before an instructor watches their screen.',
  setUnasked:
    'Instructors can watch without asking. Learners see this when they connect. Learners who are connected now are still asked.',
  notConnected: (learner: string) =>
    `${learner} has no machine open in the browser. You can watch once they have connected.`,
  full: `${WATCHERS_PER_TERMINAL} people are already watching this screen or asking to. Try again when one of them has left.`,
  refusedRecently: 'The learner refused a moment ago. Ask again in a minute.',
  already: 'You are already watching this screen, or asking to, in another tab.',
  processUnreachable:
    'The server process with this screen cannot be reached. Ask the operator of the portal to set PEER_URL.',
  waiting: (learner: string) => `Asking ${learner} whether you can watch.`,
  refused: (learner: string) => `${learner} does not want to be watched.`,
  unanswered: (learner: string) => `${learner} did not answer.`,
  consentWithdrawn: (learner: string) => `${learner} no longer wants to be watched.`,
  closed: (learner: string) => `${learner} closed the machine in their browser.`,
  pageUnreachable: (learner: string) => `The page of ${learner} does not answer. Try again in a moment.`,
  notShown: 'The picture of this desktop could not be shown. Start watching again.',
  left: 'The watcher has left.',
} as const
