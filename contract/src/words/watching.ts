/** Maximum number of instructors watching one terminal or desktop. */
export const WATCHERS_PER_TERMINAL = 10
/** Seconds that a learner has to answer a request to watch. */
export const WATCH_ASK_SECONDS = 120
/** Seconds before an instructor can ask a learner again after a refusal. */
export const WATCH_REFUSED_SECONDS = 60

/** Messages about watching a learner's screen. */
export const WATCHING = {
  /** Shown to the learner when the machine opens. */
  unasked: 'Your instructors may watch this screen without asking you. Their names stand here while they do.',
  asked: 'Instructors ask you before they see this screen.',
  setAsk: 'Learners will be asked before anybody watches their screen.',
  setUnasked:
    'Instructors may watch without asking. Learners are told so when they connect; who is connected now is still asked.',
  notConnected: (learner: string) =>
    `${learner} has no machine open in the browser. You can watch once they have connected.`,
  full: `${WATCHERS_PER_TERMINAL} people watch this screen or ask to already. Try again when one of them has left.`,
  again: 'The learner said no a moment ago. Ask again in a minute.',
  already: 'You watch this screen already, or ask to, in another tab.',
  elsewhere:
    'The part of the portal that holds this screen cannot be reached from here. Ask whoever runs the portal to set PEER_URL.',
  waiting: (learner: string) => `${learner} is asked whether you may watch.`,
  refused: (learner: string) => `${learner} does not want to be watched.`,
  unanswered: (learner: string) => `${learner} did not answer.`,
  consentTakenBack: (learner: string) => `${learner} does not want to be watched any more.`,
  closed: (learner: string) => `${learner} closed the machine in their browser.`,
  /** The learner's page cannot be reached to show who is watching. */
  notTold: (learner: string) => `The page of ${learner} does not answer. Try again in a moment.`,
  notShown: 'The picture of this desktop could not be shown. Watch again.',
  left: 'Whoever watched left.',
} as const
